import { env } from "cloudflare:test";
import { outputKey } from "@parley/batch/object-keys";
import { Transcript } from "@parley/contracts/batch/transcript";
import { openDatabase } from "@parley/db/client";
import { organisations } from "@parley/db/platform/organisations";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { countingDatabase } from "../test/counting.ts";
import { outside, verboseJson } from "../test/engine.ts";
import { createPipeline, db, insertJob, keysOf, read, startMessage } from "../test/pipeline.ts";
import { wav } from "../test/wav.ts";

const text = async (key: string) => (await env.MEDIA.get(key))?.text();

test("a queued job goes through its states to DONE and leaves its transcript in four formats", async () => {
	const world = outside();
	const { deliver, sent, drain } = createPipeline({ fetch: world.fetch });
	const row = await insertJob({ audio: wav(3) });

	await deliver([startMessage(row)]);
	expect(await read(row)).toMatchObject({
		status: "DECODING",
		chunkCount: 1,
		chunksDone: 0,
		leaseToken: null,
		inputMetadata: {
			source: "inline",
			size_bytes: 96_044,
			duration_seconds: 3,
			format: "wav",
			codec: "pcm",
			channels: 1,
			sample_rate: 16_000,
		},
	});
	expect(sent.map(({ body }) => body.type)).toEqual(["TranscribeChunk"]);

	await deliver(sent.splice(0).map(({ body }) => body));
	expect(await read(row)).toMatchObject({ status: "POST_PROCESSING", chunksDone: 1 });

	await drain();
	const done = await read(row);
	expect(done).toMatchObject({
		status: "DONE",
		outputMetadata: { word_count: 2, languages: ["en"], engine: "test/whisper" },
		error: null,
	});
	expect(Date.parse(done.expiresAt ?? "") - Date.parse(done.completedAt ?? "")).toBe(7 * 24 * 3_600_000);
	expect(await text(outputKey(row, "txt"))).toBe("Hello, world.\n");
	expect(await text(outputKey(row, "srt"))).toContain("00:00:00,500 --> ");
	expect(await text(outputKey(row, "vtt"))).toMatch(/^WEBVTT\n/);
	const transcript = Transcript.parse(JSON.parse((await text(outputKey(row, "json"))) ?? ""));
	expect(transcript.results.map(({ alternatives }) => alternatives[0]?.content)).toEqual([
		"Hello",
		",",
		"world",
		".",
	]);
	expect((await env.MEDIA.head(outputKey(row, "vtt")))?.httpMetadata).toEqual({
		contentType: "text/vtt; charset=utf-8",
		contentDisposition: 'attachment;filename="a.vtt"',
	});
	expect(await keysOf(row, "work")).toEqual([]);
	expect(world.engineCalls).toBe(1);
});

test("a job of many chunks comes together in time order, whatever the order of its chunks", async () => {
	const { deliver, sent, drain } = createPipeline(outside());
	const row = await insertJob({ audio: wav(200) });
	await deliver([startMessage(row)]);
	const chunks = sent.splice(0).map(({ body }) => body);
	expect(chunks.length).toBeGreaterThan(1);
	const [first, ...rest] = chunks.reverse();
	await deliver(first ? [first] : []);
	expect(await read(row)).toMatchObject({ status: "DECODING", chunksDone: 1 });
	await deliver(rest);
	await drain();
	expect(await read(row)).toMatchObject({
		status: "DONE",
		outputMetadata: { word_count: chunks.length * 2 },
	});
	const { results } = Transcript.parse(JSON.parse((await text(outputKey(row, "json"))) ?? ""));
	const starts = results.map(({ start_time }) => start_time);
	expect(starts).toEqual([...starts].sort((a, b) => a - b));
});

describe("twice is once:", () => {
	test("every message delivered three times at once costs one call of the engine a chunk", async () => {
		const world = outside();
		const { ctx, drain, sent } = createPipeline(world);
		const row = await insertJob({ audio: wav(200), creditSeconds: 1000 });
		await ctx.env.TRANSCRIPTION.sendBatch([{ body: startMessage(row) }]);
		await drain(3);
		const done = await read(row);
		expect(done).toMatchObject({ status: "DONE", chunksDone: done.chunkCount });
		expect(world.engineCalls).toBe(done.chunkCount);
		expect(sent).toEqual([]);
		expect(await keysOf(row, "work")).toEqual([]);
	});

	test("seconds are taken from the balance once, and only when the job is done", async () => {
		const { ctx, drain, deliver, sent } = createPipeline(outside());
		const row = await insertJob({ audio: wav(2.5), creditSeconds: 100 });
		const balance = async () => {
			const [found] = await db.select().from(organisations).where(eq(organisations.id, row.organisationId));
			return found?.creditSeconds;
		};
		await ctx.env.TRANSCRIPTION.sendBatch([{ body: startMessage(row) }]);
		await deliver([startMessage(row)]);
		await deliver(sent.splice(0).map(({ body }) => body));
		expect(await balance()).toBe(100);
		await drain(4);
		expect((await read(row)).status).toBe("DONE");
		expect(await balance()).toBe(97);
	});
});

test("a job of one chunk costs at most sixteen written rows, four of them for the search", async () => {
	const { database, rowsWritten } = countingDatabase(env.DB);
	const pipeline = createPipeline({ ...outside(), db: openDatabase(database) });
	const row = await insertJob({ audio: wav(3) }, openDatabase(database));
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	expect((await read(row)).status).toBe("DONE");
	expect(rowsWritten()).toBeGreaterThan(8);
	expect(rowsWritten()).toBeLessThanOrEqual(16);
});

test("words in another language than the requested one are kept, with a warning", async () => {
	const french = async () =>
		Response.json({ ...((await verboseJson().json()) as object), language: "french" });
	const pipeline = createPipeline(outside({}, french));
	const row = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	const warnings = [
		expect.stringMatching(/asked for is en, but the engine names fr as that of 2 of 2 words/),
	];
	expect(await read(row)).toMatchObject({ status: "DONE", outputMetadata: { word_count: 2, warnings } });
	const { metadata } = Transcript.parse(JSON.parse((await text(outputKey(row, "json"))) ?? ""));
	expect(metadata).toMatchObject({ languages: ["fr"], warnings });
});
