import { env } from "cloudflare:test";
import { outputKey } from "@parley/batch/object-keys";
import type { TranscriptionConfig } from "@parley/contracts/batch/job-configs";
import { Transcript } from "@parley/contracts/batch/transcript";
import type { JobRow } from "@parley/db/batch/jobs";
import { expect, test } from "vitest";
import { listener } from "../../test/listener.ts";
import { createPipeline, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const config: TranscriptionConfig = {
	language: "en",
	operating_point: "enhanced",
	diarization: "channel",
	enable_entities: false,
};

const jobOf = (audio: Uint8Array, changes: Partial<TranscriptionConfig> = {}) =>
	insertJob({ audio, jobConfig: { transcription_config: { ...config, ...changes } } });

async function transcribe(row: JobRow, engine: ReturnType<typeof listener>): Promise<Transcript> {
	const pipeline = createPipeline(engine);
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	expect(await read(row)).toMatchObject({ status: "DONE", error: null });
	return transcriptOf(row);
}

const transcriptOf = async (row: JobRow): Promise<Transcript> =>
	Transcript.parse(await (await env.MEDIA.get(outputKey(row, "json")))?.json());

const said = ({ results }: Transcript) =>
	results.map(({ start_time, channel, alternatives }) => [start_time, channel, alternatives[0]?.content]);

test("each channel has its own words, under its label and in time order", async () => {
	const engine = listener();
	const row = await jobOf(wav(2, [300, 700]), { channel_diarization_labels: ["agent", "caller"] });
	const transcript = await transcribe(row, engine);
	expect(said(transcript)).toEqual([
		[0.1, "agent", "tone300"],
		[0.1, "caller", "tone700"],
		[1.1, "agent", "tone300"],
		[1.1, "caller", "tone700"],
	]);
	expect(transcript.metadata.warnings).toEqual([]);
	expect(engine.recognised).toEqual([300, 700].map((pitch) => ({ name: "0001.wav", pitch, bytes: 64_044 })));
	expect(await keysOf(row, "work")).toEqual([]);
});

test("words of many chunks stay with their channel", async () => {
	const transcript = await transcribe(await jobOf(wav(200, [300, 700])), listener());
	for (const [, channel, word] of said(transcript))
		expect(word).toBe(channel === "channel_1" ? "tone300" : "tone700");
	expect(transcript.results.length).toBeGreaterThan(390);
}, 30_000);

test("a silent channel costs no call of the engine", async () => {
	const engine = listener();
	const transcript = await transcribe(await jobOf(wav(2, [0, 500])), engine);
	expect(said(transcript).map(([, channel]) => channel)).toEqual(["channel_2", "channel_2"]);
	expect(engine.recognised).toHaveLength(1);
});

test("a recording of one channel has one, and labels too many are told of", async () => {
	const labels = ["agent", "caller"];
	const row = await jobOf(wav(1, [400]), { channel_diarization_labels: labels });
	const transcript = await transcribe(row, listener());
	expect(said(transcript)).toEqual([[0.1, "agent", "tone400"]]);
	expect(transcript.metadata.warnings).toEqual([
		"2 channel labels were given, but the audio has one channel.",
	]);
});

test("two channels of the same sound are two, recognised once, and told of", async () => {
	const engine = listener();
	const transcript = await transcribe(await jobOf(wav(1, [400, 400])), engine);
	expect(said(transcript).map(([, channel]) => channel)).toEqual(["channel_1", "channel_2"]);
	expect(transcript.metadata.warnings).toEqual(["Channels 1 and 2 hold the same sound."]);
	expect(engine.recognised).toHaveLength(1);
});

test("more channels than eight fail the job before anything is recognised", async () => {
	const engine = listener();
	const pipeline = createPipeline(engine);
	const row = await jobOf(wav(1, [1, 2, 3, 4, 5, 6, 7, 8, 9]));
	await pipeline.deliver([startMessage(row)]);
	expect(await read(row)).toMatchObject({
		status: "FAILED",
		error: {
			code: "input_too_many_channels",
			message: "The audio has 9 channels; at most 8 can be recognised separately.",
			retryable: false,
		},
	});
	expect(engine.recognised).toEqual([]);
});

test("a channel that was recognised is not recognised again when the next one fails", async () => {
	const engine = listener([2]);
	const { deliver, drain, sent } = createPipeline(engine);
	const row = await jobOf(wav(1, [300, 700]));
	await deliver([startMessage(row)]);
	const bodies = sent.splice(0).map(({ body }) => body);
	const { retryMessages } = await deliver(bodies);
	expect(retryMessages).toHaveLength(1);
	await deliver(bodies, 2);
	await drain();
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect(engine.recognised.map(({ pitch }) => pitch)).toEqual([300, 700, 700]);
	expect(said(await transcriptOf(row)).map(([, , word]) => word)).toEqual(["tone300", "tone700"]);
});
