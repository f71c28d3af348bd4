import { env } from "cloudflare:test";
import { endOfJob } from "@parley/batch/job-end";
import { inputKey } from "@parley/batch/object-keys";
import { jobs } from "@parley/db/batch/jobs";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import {
	createPipeline,
	db,
	fetchMessage,
	insertJob,
	keysOf,
	read,
	startMessage,
} from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const cutOff = wav(3).subarray(0, 20);
const page = new TextEncoder().encode("<!doctype html><title>Log in</title>");
const unknownInput = { size_bytes: null, duration_seconds: null, format: null, codec: null };
const inputOf = (source: "upload" | "inline") => ({
	inputMetadata: { ...unknownInput, channels: null, sample_rate: null, source },
});

test.each([
	["an upload that is no audio", "upload", page, "input_not_audio"],
	["inline bytes that are no audio", "inline", page, "input_not_audio"],
	["a damaged upload", "upload", cutOff, "input_broken"],
	["an empty upload", "upload", new Uint8Array(), "input_empty"],
] as const)("%s is removed when its job fails", async (_, source, audio, code) => {
	const { deliver } = createPipeline(outside());
	const row = await insertJob({ audio, ...inputOf(source) });
	await deliver([startMessage(row)]);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code }, inputKey: null });
	expect(await keysOf(row)).toEqual([]);
});

test("an upload in parts that is no audio is removed when its job fails", async () => {
	const { deliver } = createPipeline(outside());
	const { organisationId } = await insertJob();
	const jobId = `job${crypto.randomUUID().replaceAll("-", "")}`;
	const key = inputKey({ organisationId, jobId }, "a.wav");
	const upload = await env.MEDIA.createMultipartUpload(key);
	const { etag } = await upload.complete([await upload.uploadPart(1, page)]);
	const row = await insertJob({
		organisationId,
		jobId,
		inputKey: key,
		inputEtag: etag,
		...inputOf("upload"),
	});
	await deliver([startMessage(row)]);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "input_not_audio" } });
	expect(await keysOf(row)).toEqual([]);
});

test("an input stays when its job fails for another reason", async () => {
	const { deliver } = createPipeline(outside());
	const row = await insertJob({ audio: wav(3), modelCode: "no/such-model" });
	await deliver([startMessage(row)], 10);
	expect(await read(row)).toMatchObject({ status: "FAILED", inputKey: row.inputKey });
	expect(await keysOf(row)).toEqual([row.inputKey]);
});

test("a download that was complete is removed when the audio turns out to be damaged", async () => {
	const damaged = new Uint8Array(9 * 1024 * 1024);
	damaged.set(wav(1).subarray(0, 12));
	const { deliver } = createPipeline(outside({ "audio.example": () => new Response(damaged) }));
	const row = await insertJob({ inputUrl: "https://audio.example/a.wav" });
	await deliver([fetchMessage(row)]);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "input_broken" } });
	expect(await keysOf(row)).toEqual([]);
});

test("a download that outlives the cancellation of its job is removed", async () => {
	const { deliver } = createPipeline(
		outside({
			"audio.example": async () => {
				const end = endOfJob(new Date(), 7);
				await db
					.update(jobs)
					.set({ status: "CANCELLED", ...end })
					.where(eq(jobs.id, row.id));
				return new Response(wav(3));
			},
		}),
	);
	const row = await insertJob({ inputUrl: "https://audio.example/a.wav" });
	await deliver([fetchMessage(row)]);
	expect((await read(row)).status).toBe("CANCELLED");
	expect(await keysOf(row)).toEqual([]);
});
