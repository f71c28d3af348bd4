import { env } from "cloudflare:test";
import { endOfJob } from "@parley/batch/job-end";
import { chunksOf } from "@parley/batch/job-predicates";
import { chunkResultKey, inputKey, outputKey } from "@parley/batch/object-keys";
import { jobChunks } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { revisions } from "@parley/db/batch/revisions";
import { passageId, transcriptPassages } from "@parley/db/batch/transcript-passages";
import { uploads } from "@parley/db/batch/uploads";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { outside, verboseJson } from "../../test/engine.ts";
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
import type { Ctx } from "../context.ts";
import { sweep } from "./sweep.ts";

type Pipeline = ReturnType<typeof createPipeline>;

/** Runs `step` with one call of the context's bindings failing as a power cut would: everything after it does not happen. */
async function cutOff(
	pipeline: Pipeline,
	binding: "MEDIA" | "TRANSCRIPTION" | "INPUTS" | "CHUNKS",
	method: string,
	step: () => Promise<unknown>,
) {
	const original = pipeline.ctx.env;
	const cut = () => Promise.reject(new Error("power cut"));
	const broken = new Proxy(original[binding] as object, {
		get: (target, name) => {
			if (name === method) return cut;
			const value = Reflect.get(target, name);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	pipeline.ctx.env = { ...original, [binding]: broken };
	await step();
	pipeline.ctx.env = original;
}

describe("a job whose worker died goes on from where it was:", () => {
	test("its first message was never sent", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
	});

	test("its first message was never sent, and its audio is behind a URL", async () => {
		const pipeline = createPipeline(outside({ "audio.example": () => new Response(wav(3)) }));
		const row = await insertJob({ inputUrl: "https://audio.example/a.wav" });
		pipeline.skip(60_000);
		await sweep(pipeline.ctx);
		expect(pipeline.sent).toContainEqual({ body: fetchMessage(row) });
		await pipeline.drain();
		expect((await read(row)).status).toBe("DONE");
	});

	test("while its audio was looked through", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({
			audio: wav(3),
			status: "IN_PROGRESS",
			leaseToken: "of-the-dead",
			leaseUntil: new Date(Date.now() + 30_000).toISOString(),
		});
		await sweep(pipeline.ctx);
		expect((await read(row)).status).toBe("IN_PROGRESS");
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
	});

	test("after planning, before its chunks were sent", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(200) });
		await cutOff(pipeline, "CHUNKS", "sendBatch", () => pipeline.deliver([startMessage(row)]));
		expect(await read(row)).toMatchObject({ status: "DECODING" });
		expect(pipeline.sent).toEqual([]);
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
	});

	test("while a chunk was recognised", async () => {
		const world = outside();
		const pipeline = createPipeline(world);
		const row = await insertJob({ audio: wav(200) });
		await pipeline.deliver([startMessage(row)]);
		pipeline.sent.splice(0);
		const leased = { leaseToken: "of-the-dead", leaseUntil: new Date(Date.now() + 30_000).toISOString() };
		await db.update(jobChunks).set(leased).where(chunksOf(row));
		await pipeline.recover();
		const done = await read(row);
		expect(done.status).toBe("DONE");
		expect(world.engineCalls).toBe(done.chunkCount);
	});

	test("after a chunk's result was stored, before it was marked: the engine is not asked again", async () => {
		const world = outside();
		const pipeline = createPipeline(world);
		const row = await insertJob({ audio: wav(3) });
		await pipeline.deliver([startMessage(row)]);
		const [chunk] = pipeline.sent.splice(0);
		const batch = pipeline.ctx.db.batch;
		let batches = 0;
		pipeline.ctx.db.batch = ((statements: Parameters<typeof batch>[0]) =>
			++batches === 2
				? Promise.reject(new Error("power cut"))
				: batch.call(pipeline.ctx.db, statements)) as unknown as typeof batch;
		await pipeline.deliver(chunk ? [chunk.body] : []);
		expect(await env.MEDIA.head(chunkResultKey(row, 0))).not.toBeNull();
		expect(await read(row)).toMatchObject({ status: "DECODING", chunksDone: 0 });
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
		expect(world.engineCalls).toBe(1);
	});

	test("after the last chunk, before the job was sent to be finished", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		await pipeline.deliver([startMessage(row)]);
		const [chunk] = pipeline.sent.splice(0);
		await cutOff(pipeline, "TRANSCRIPTION", "sendBatch", () => pipeline.deliver(chunk ? [chunk.body] : []));
		expect((await read(row)).status).toBe("POST_PROCESSING");
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
	});

	test("while its outputs were written", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		await pipeline.deliver([startMessage(row)]);
		await pipeline.deliver(pipeline.sent.splice(0).map(({ body }) => body));
		const [finish] = pipeline.sent.splice(0);
		await cutOff(pipeline, "MEDIA", "put", () => pipeline.deliver(finish ? [finish.body] : []));
		expect((await read(row)).status).toBe("POST_PROCESSING");
		await pipeline.recover();
		expect((await read(row)).status).toBe("DONE");
	});

	test("a job whose chunk results are missing is transcribed again", async () => {
		const world = outside();
		const pipeline = createPipeline(world);
		const row = await insertJob({ audio: wav(3) });
		await pipeline.deliver([startMessage(row)]);
		await pipeline.deliver(pipeline.sent.splice(0).map(({ body }) => body));
		await env.MEDIA.delete(chunkResultKey(row, 0));
		await pipeline.drain();
		expect((await read(row)).status).toBe("DONE");
		expect(world.engineCalls).toBe(2);
	});
});

describe("a job that is worked on is left alone", () => {
	test("while one of its chunks is leased, and while it waits for a lease's end", async () => {
		const pipeline = createPipeline(outside({}, verboseJson));
		const row = await insertJob({ audio: wav(200) });
		await pipeline.deliver([startMessage(row)]);
		pipeline.sent.splice(0);
		pipeline.skip(31_000);
		const leaseUntil = new Date(pipeline.ctx.clock().getTime() + 25_000).toISOString();
		const [chunk] = await db.select().from(jobChunks).where(chunksOf(row));
		await db
			.update(jobChunks)
			.set({ leaseToken: "alive", leaseUntil })
			.where(eq(jobChunks.id, chunk?.id ?? 0));
		await sweep(pipeline.ctx);
		expect(pipeline.sent.map(({ body }) => body.type)).toEqual(["WakeJob"]);
		expect(await read(row)).toMatchObject({ wakeAt: leaseUntil, pushes: 0 });
	});

	test("and pushed ever more seldom when it does not move", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		const pauses: number[] = [];
		for (let push = 0; push < 6; push++) {
			const { wakeAt } = await read(row);
			pipeline.skip(Date.parse(wakeAt ?? "") - pipeline.ctx.clock().getTime() + 1);
			const before = pipeline.ctx.clock().getTime();
			await sweep(pipeline.ctx);
			pauses.push(Math.round((Date.parse((await read(row)).wakeAt ?? "") - before) / 1000));
		}
		expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
		expect(pipeline.sent.filter(({ body }) => body.type === "StartJob")).toHaveLength(6);
	});
});

test("a job that wakes before the next run gets a message for that moment", async () => {
	const pipeline = createPipeline();
	const row = await insertJob({ audio: wav(3) });
	await sweep(pipeline.ctx);
	const ours = pipeline.sent.filter(({ body }) => body.job_id === row.jobId);
	expect(ours).toEqual([{ body: { ...startMessage(row), type: "WakeJob" }, delaySeconds: 30 }]);
});

test("a job past its deadline fails with that reason", async () => {
	const { ctx } = createPipeline();
	const past = new Date(Date.now() - 1000).toISOString();
	const row = await insertJob({ audio: wav(3), status: "DECODING", wakeAt: past, deadlineAt: past });
	await sweep(ctx);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "deadline_exceeded" } });
});

describe("what is over is cleared away:", () => {
	async function insertDone(changes: Partial<typeof jobs.$inferInsert> = {}): Promise<JobRow> {
		const row = await insertJob({ audio: wav(1), status: "DONE", ...endOfJob(new Date(), 7), ...changes });
		await env.MEDIA.put(outputKey(row, "json"), "{}");
		await env.MEDIA.put(chunkResultKey(row, 0), "{}");
		return row;
	}

	test("the files of a job whose retention has ended; its record says so and stays", async () => {
		const { ctx, skip } = createPipeline();
		const row = await insertDone();
		await sweep(ctx);
		expect(await keysOf(row)).toHaveLength(3);
		skip(7 * 24 * 3_600_000 + 1000);
		await sweep(ctx);
		expect(await keysOf(row)).toEqual([]);
		const kept = await read(row);
		expect(kept).toMatchObject({ status: "DONE", inputKey: null, wakeAt: null });
		expect(kept.filesRemovedAt).not.toBeNull();
	});

	test("the revisions and the search entries of a job whose retention has ended", async () => {
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		await pipeline.deliver([startMessage(row)]);
		await pipeline.drain();
		const { organisationId, jobId } = row;
		const summary = { words_added: 0, words_removed: 0, words_replaced: 1, words_reassigned: 0 };
		const author = { author: "user:a", authorName: "Ada", createdAt: new Date().toISOString() };
		await db
			.insert(revisions)
			.values({ organisationId, jobId, number: 1, id: "r", wordCount: 2, summary, ...author });
		const entries = async () => [
			await db.select().from(revisions).where(eq(revisions.jobId, jobId)),
			await db.select().from(transcriptPassages).where(eq(transcriptPassages.organisationId, organisationId)),
			await db.all(
				sql`select rowid from transcript_search where rowid between ${passageId(row.id, 0)} and ${passageId(row.id, 9)}`,
			),
		];
		expect((await entries()).map(({ length }) => length)).toEqual([1, 1, 1]);
		pipeline.skip(7 * 24 * 3_600_000 + 60_000);
		await sweep(pipeline.ctx);
		expect(await entries()).toEqual([[], [], []]);
		expect(await keysOf(row)).toEqual([]);
	});

	test("a job whose deletion was interrupted", async () => {
		const { ctx } = createPipeline();
		const now = new Date(Date.now() - 1).toISOString();
		const row = await insertDone({ deletedAt: now, wakeAt: now });
		await sweep(ctx);
		expect(await keysOf(row)).toEqual([]);
		expect(await db.select().from(jobs).where(eq(jobs.id, row.id))).toEqual([]);
	});

	test("an upload that was never submitted, but not one that still may be", async () => {
		const { ctx } = createPipeline();
		const { organisationId } = await insertJob();
		const insert = async (jobId: string, ms: number) => {
			const key = inputKey({ organisationId, jobId }, "a.wav");
			const expiresAt = new Date(Date.now() + ms).toISOString();
			const rest = { contentType: "audio/wav", request: {}, requestHash: "", createdAt: expiresAt };
			await db.insert(uploads).values({ organisationId, jobId, key, expiresAt, ...rest });
			await env.MEDIA.put(key, "RIFF");
			return key;
		};
		const lapsed = await insert("lapsed", -1);
		const fresh = await insert("fresh", 60_000);
		await sweep(ctx);
		expect(await env.MEDIA.head(lapsed)).toBeNull();
		expect(await env.MEDIA.head(fresh)).not.toBeNull();
		const rows = await db.select().from(uploads).where(eq(uploads.organisationId, organisationId));
		expect(rows.map(({ jobId }) => jobId)).toEqual(["fresh"]);
	});

	test("an upload in parts that was never completed, its parts too", async () => {
		const { ctx, skip } = createPipeline();
		// By then every row before these has lapsed as well.
		skip(120_000);
		const { organisationId } = await insertJob();
		const past = new Date(Date.now() - 1).toISOString();
		const insert = async (jobId: string, row: object = {}) => {
			const key = inputKey({ organisationId, jobId }, "a.wav");
			const upload = await env.MEDIA.createMultipartUpload(key);
			const rest = {
				contentType: "audio/wav",
				request: {},
				requestHash: "",
				createdAt: past,
				expiresAt: past,
			};
			const multipart = { uploadId: crypto.randomUUID(), multipartId: upload.uploadId };
			await db.insert(uploads).values({ organisationId, jobId, key, ...rest, ...multipart, ...row });
			return upload;
		};
		const open = await insert("open");
		const aborted = await insert("aborted", { abortedAt: past });
		// Its job_id was free since, and somebody has used it.
		await env.MEDIA.put(aborted.key, "RIFF");
		await sweep(ctx);
		await expect(open.uploadPart(1, "x")).rejects.toThrow("does not exist");
		await expect(aborted.uploadPart(1, "x")).rejects.toThrow("does not exist");
		expect(await env.MEDIA.head(aborted.key)).not.toBeNull();
		expect(await db.select().from(uploads).where(eq(uploads.organisationId, organisationId))).toEqual([]);
	});

	test("what is stored for an ended job that has no input, and not the input of one that has", async () => {
		const { ctx, skip } = createPipeline({ random: () => 0 });
		for (const { key } of (await env.MEDIA.list()).objects) await env.MEDIA.delete(key);
		const failed = await insertJob({ status: "FAILED", wakeAt: null });
		const { organisationId } = failed;
		const cancelled = await insertJob({ organisationId, audio: wav(1), status: "CANCELLED", wakeAt: null });
		// Its presigned URL outlives the job.
		await env.MEDIA.put(inputKey(failed, "late.wav"), "RIFF");
		skip(2 * 3_600_000);
		await sweep(ctx);
		expect(await keysOf(failed)).toEqual([cancelled.inputKey]);
	});

	test("objects that no row names, once they are old enough, and no others", async () => {
		const { ctx, skip } = createPipeline({ random: () => 0 });
		for (const { key } of (await env.MEDIA.list()).objects) await env.MEDIA.delete(key);
		const live = await insertJob({ audio: wav(1), wakeAt: null });
		const done = await insertDone({ organisationId: live.organisationId, wakeAt: null });
		await env.MEDIA.put(chunkResultKey(live, 0), "{}");
		const nobody = { organisationId: live.organisationId, jobId: "nobody" };
		for (const key of [inputKey(nobody, "a.wav"), outputKey(nobody, "txt"), chunkResultKey(nobody, 0)])
			await env.MEDIA.put(key, "x");
		await sweep(ctx);
		expect(await keysOf(live)).toHaveLength(8);
		skip(2 * 3_600_000);
		await sweep(ctx);
		expect(await keysOf(live)).toEqual(
			[live.inputKey, done.inputKey, outputKey(done, "json"), chunkResultKey(live, 0)].sort(),
		);
	});
});

test("what fails in one part of a sweep does not keep the others from their work", async () => {
	const pipeline = createPipeline();
	const past = new Date(Date.now() - 1000).toISOString();
	const row = await insertJob({ status: "DECODING", wakeAt: past, deadlineAt: past });
	const TRANSCRIPTION = { sendBatch: () => Promise.reject(new Error("queue down")) };
	const env_ = { ...pipeline.ctx.env, TRANSCRIPTION } as unknown as Ctx["env"];
	await sweep({ ...pipeline.ctx, env: env_ });
	expect((await read(row)).status).toBe("FAILED");
});
