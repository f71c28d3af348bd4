import { fixture } from "@parley/audio-files/recordings.fixture";
import { expect, test } from "vitest";
import { listener } from "../../test/listener.ts";
import { createPipeline, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { decodeChunk } from "./decode-chunk.ts";
import type { JobPlan } from "./job-plan.ts";

const PCM_BYTES_PER_SECOND = 32_000;

test.each(["speech.amr", "amr.3gp", "alac.m4a"])(
	"%s is decoded for an engine that does not take it",
	async (name) => {
		const engine = listener();
		const pipeline = createPipeline(engine);
		const row = await insertJob({ audio: fixture(name) });
		await pipeline.deliver([startMessage(row)]);
		await pipeline.drain();
		expect(await read(row)).toMatchObject({ status: "DONE" });
		expect(engine.recognised.map((file) => file.name)).toEqual(["0001.wav"]);
		const seconds = name === "alac.m4a" ? 1 : 12;
		expect(Math.abs((engine.recognised[0]?.bytes ?? 0) / PCM_BYTES_PER_SECOND - seconds)).toBeLessThan(0.1);
	},
);

test("what the engine takes goes to it as it is", async () => {
	const engine = listener();
	const pipeline = createPipeline(engine);
	await pipeline.deliver([startMessage(await insertJob({ audio: fixture("vbr.mp3") }))]);
	await pipeline.drain();
	expect(engine.recognised).toMatchObject([{ name: "0001.mp3", bytes: fixture("vbr.mp3").length }]);
});

test.each([
	[new Uint8Array(4000), "input_undecodable", "A part of the audio (mp4, alac) cannot be decoded."],
	[
		fixture("speech.wav"),
		"input_broken",
		"The file is damaged: it contains more audio than its header declares.",
	],
])("what cannot be decoded is the file's fault and final", async (bytes, code, message) => {
	const { ctx } = createPipeline();
	const chunk = { bytes, durationSeconds: 1, filename: "0001.m4a" } as Parameters<typeof decodeChunk>[2];
	const decoded = decodeChunk(ctx, { info: { format: "mp4", codec: "alac" } } as JobPlan, chunk);
	await expect(decoded).rejects.toMatchObject({ code, message, retryable: false });
});

test("a decoder that breaks off is asked a few times more", async () => {
	const decode = () => Promise.reject(new Error("The isolate is gone"));
	const { deliver, sent } = createPipeline(listener(), { DECODER: { decode } } as never);
	const row = await insertJob({ audio: fixture("speech.amr") });
	await deliver([startMessage(row)]);
	const bodies = sent.splice(0).map(({ body }) => body);
	expect((await deliver(bodies, 2)).retryMessages).toHaveLength(1);
	expect((await read(row)).status).toBe("DECODING");
	await deliver(bodies, 3);
	const error = {
		code: "decoder_failed",
		message: "The audio (amr, amr_nb) broke the decoder.",
		retryable: true,
	};
	expect(await read(row)).toMatchObject({ status: "FAILED", error });
});
