import { env } from "cloudflare:test";
import { fixture } from "@parley/audio-files/recordings.fixture";
import { findPeaks } from "@parley/batch/stored-peaks";
import { fromBase64 } from "@parley/bytes/base64";
import type { TranscriptionConfig } from "@parley/contracts/batch/job-configs";
import type { DecoderRpc } from "@parley/contracts/internal/decoder-rpc";
import type { JobRow } from "@parley/db/batch/jobs";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { listener } from "../../test/listener.ts";
import { createPipeline, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const config: TranscriptionConfig = {
	language: "en",
	operating_point: "enhanced",
	diarization: "none",
	enable_entities: false,
};

async function transcribe(row: JobRow, fetch = outside().fetch, vars: Partial<Env> = {}) {
	const pipeline = createPipeline({ fetch }, vars);
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	const done = await read(row);
	expect(done).toMatchObject({ status: "DONE", error: null });
	return findPeaks(env.MEDIA, done);
}

/** The loudest peak of each second. */
const loudest = (peaks: string): number[] => {
	const bytes = fromBase64(peaks);
	return Array.from({ length: Math.ceil(bytes.length / 20) }, (_, second) =>
		Math.max(...bytes.subarray(20 * second, 20 * second + 20)),
	);
};

test("a recording of many chunks has twenty peaks a second from its start to its end", async () => {
	const row = await insertJob({ audio: wav(200) });
	const [only, ...rest] = (await transcribe(row)) ?? [];
	expect([only?.label, rest]).toEqual([null, []]);
	expect((await read(row)).chunkCount).toBeGreaterThan(1);
	const seconds = loudest(only?.peaks ?? "");
	expect(seconds).toHaveLength(200);
	// A quarter of full scale, as the tone is.
	for (const value of seconds) expect(Math.abs(value - 62)).toBeLessThan(3);
}, 30_000);

test("channels that are recognised separately have peaks of their own", async () => {
	const transcription_config: TranscriptionConfig = {
		...config,
		diarization: "channel",
		channel_diarization_labels: ["agent", "caller"],
	};
	const row = await insertJob({ audio: wav(2, [300, 0]), jobConfig: { transcription_config } });
	const channels = (await transcribe(row, listener().fetch)) ?? [];
	expect(channels.map(({ label }) => label)).toEqual(["agent", "caller"]);
	expect(channels.map(({ peaks }) => Math.max(...fromBase64(peaks)) > 50)).toEqual([true, false]);
});

test("compressed audio is decoded by the decoder, which keeps the samples", async () => {
	const real = env.DECODER as unknown as DecoderRpc;
	const answers: number[] = [];
	const decode: DecoderRpc["decode"] = async (request) => {
		const answer = await real.decode(request);
		if (answer.ok) answers.push(answer.wav.length);
		return answer;
	};
	const row = await insertJob({ audio: fixture("cbr.mp3") });
	const [only] = (await transcribe(row, outside().fetch, { DECODER: { decode } as never })) ?? [];
	const { inputMetadata } = await read(row);
	expect(fromBase64(only?.peaks ?? "")).toHaveLength(Math.ceil(20 * (inputMetadata.duration_seconds ?? 0)));
	expect(answers).toEqual([0]);
});

test("a decoder that breaks down costs the peaks, not the words", async () => {
	const decode = () => Promise.reject(new Error("The worker exceeded its CPU time limit"));
	const row = await insertJob({ audio: fixture("cbr.mp3") });
	expect(await transcribe(row, outside().fetch, { DECODER: { decode } as never })).toBeUndefined();
});
