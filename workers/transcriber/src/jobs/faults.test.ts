import { createMessageBatch, env } from "cloudflare:test";
import { eraseJob } from "@parley/batch/erase-job";
import { outputKey } from "@parley/batch/object-keys";
import type { TranscriptionMessage } from "@parley/contracts/internal/queue-messages";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { eq } from "drizzle-orm";
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
import { consumeDeadLetters, MAX_ATTEMPTS } from "../queue/consume.ts";
import { sweep } from "../sweeper/sweep.ts";

const status =
	(code: number, headers: Record<string, string> = {}) =>
	() =>
		Response.json({ error: { message: "no" } }, { status: code, headers });

const isOf = ({ jobId }: JobRow, body: TranscriptionMessage) => body.job_id === jobId;

/** A job whose only chunk waits to be recognised. */
async function decoding(pipeline: ReturnType<typeof createPipeline>) {
	const row = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(row)]);
	const [chunk] = pipeline.sent.splice(0);
	if (!chunk) throw new Error("There is no chunk");
	return { row, chunk: chunk.body };
}

describe("a job whose worker dies each time that it begins", () => {
	const dead = (claims: number) =>
		insertJob({
			audio: wav(3),
			status: "IN_PROGRESS",
			claims,
			leaseToken: "a dead worker's",
			leaseUntil: new Date(Date.now() - 1000).toISOString(),
		});

	test("is given up in the end, with a reason", async () => {
		const pipeline = createPipeline(outside());
		const row = await dead(10);
		await pipeline.deliver([startMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "gave_up", retryable: false } });
		expect(await keysOf(row)).toHaveLength(1);
	});

	test("is begun afresh before that, and when it comes through all is forgotten", async () => {
		const pipeline = createPipeline(outside());
		const row = await dead(9);
		await pipeline.deliver([startMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "DECODING", claims: 0 });
	});

	test("is not one that was let go in order", async () => {
		const pipeline = createPipeline(outside({ "busy.example": () => new Response("", { status: 503 }) }));
		const row = await insertJob({ inputUrl: "https://busy.example/a.wav", claims: 4 });
		await pipeline.deliver([fetchMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "IN_PROGRESS", claims: 0 });
	});
});

describe("an engine's error", () => {
	test.each([408, 429, 500, 503])(
		"that may pass (%d) puts the message back and frees the chunk",
		async (code) => {
			const world = outside({}, status(code), verboseJson);
			const pipeline = createPipeline(world);
			const { row, chunk } = await decoding(pipeline);
			const result = await pipeline.deliver([chunk]);
			expect(result.explicitAcks).toEqual([]);
			expect(result.retryMessages).toHaveLength(1);
			expect((await read(row)).status).toBe("DECODING");

			await pipeline.deliver([chunk], 2);
			await pipeline.drain();
			expect((await read(row)).status).toBe("DONE");
			expect(world.engineCalls).toBe(2);
		},
	);

	test("a transient fault is retried once when due, however often the sweeper runs", async () => {
		const pipeline = createPipeline(outside({}, status(503)));
		const { row, chunk } = await decoding(pipeline);
		const result = await pipeline.deliver([chunk], 9);
		expect(result.retryMessages).toHaveLength(1);
		for (let minute = 0; minute < 2; minute++) {
			pipeline.skip(60_000);
			await sweep(pipeline.ctx);
		}
		expect(pipeline.sent.filter(({ body }) => body.type === "TranscribeChunk" && isOf(row, body))).toEqual(
			[],
		);
		// The queue has lost it: then the sweeper does send it.
		pipeline.skip(180_000);
		await sweep(pipeline.ctx);
		expect(pipeline.sent.map(({ body }) => body)).toContainEqual(chunk);
	});

	test("a fault with a Retry-After of years is retried within hours", async () => {
		const pipeline = createPipeline(outside({}, status(503, { "retry-after": "99999999" })));
		const { row, chunk } = await decoding(pipeline);
		const result = await pipeline.deliver([chunk]);
		expect(result.retryMessages).toHaveLength(1);
		pipeline.skip(2 * 3_600_000);
		await sweep(pipeline.ctx);
		expect(pipeline.sent.map(({ body }) => body)).toContainEqual(chunk);
		expect((await read(row)).status).toBe("DECODING");
	});

	test("a final fault fails the job with its reason, and leaves no work behind", async () => {
		const pipeline = createPipeline(outside({}, status(415)));
		const { row, chunk } = await decoding(pipeline);
		const result = await pipeline.deliver([chunk]);
		expect(result.explicitAcks).toHaveLength(1);
		expect(await read(row)).toMatchObject({
			status: "FAILED",
			error: {
				code: "engine_rejected_audio",
				retryable: false,
				message: expect.stringContaining("rejected the audio"),
			},
			leaseToken: null,
		});
		expect(await keysOf(row, "work")).toEqual([]);
	});

	test("a lasting fault ends the job when its attempts are used up", async () => {
		const pipeline = createPipeline(outside({}, status(503)));
		const { row, chunk } = await decoding(pipeline);
		const result = await pipeline.deliver([chunk], MAX_ATTEMPTS);
		expect(result.explicitAcks).toHaveLength(1);
		expect(await read(row)).toMatchObject({
			status: "FAILED",
			error: { code: "engine_unavailable", retryable: true },
		});
	});
});

describe("a job whose audio is of no use fails with a plain reason:", () => {
	const inputs: [string, Uint8Array, RegExp][] = [
		["empty", new Uint8Array(), /empty/i],
		["one byte", new Uint8Array([0]), /\w+/],
		["a web page", new TextEncoder().encode("<!doctype html><html></html>"), /not audio/i],
	];
	test.each(inputs)("%s", async (_name, audio, reason) => {
		const { deliver } = createPipeline(outside());
		const row = await insertJob({ audio });
		await deliver([startMessage(row)]);
		const failed = await read(row);
		expect(failed).toMatchObject({ status: "FAILED", error: { retryable: false } });
		expect(failed.error?.message).toMatch(reason);
	});

	test("gone from storage", async () => {
		const { deliver } = createPipeline(outside());
		const row = await insertJob({ audio: wav(1) });
		await env.MEDIA.delete(row.inputKey ?? "");
		await deliver([startMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "input_missing" } });
	});

	test("replaced after it was submitted", async () => {
		const { deliver } = createPipeline(outside());
		const row = await insertJob({ audio: wav(1) });
		await env.MEDIA.put(row.inputKey ?? "", wav(2), {});
		await deliver([startMessage(row)]);
		expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "input_changed" } });
	});

	test("replaced between planning and recognition", async () => {
		const pipeline = createPipeline(outside());
		const { row, chunk } = await decoding(pipeline);
		await env.MEDIA.put(row.inputKey ?? "", wav(2), {});
		await pipeline.deliver([chunk]);
		expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "input_changed" } });
	});

	test("its model is not configured any more", async () => {
		const { deliver } = createPipeline(outside());
		const row = await insertJob({ audio: wav(1), modelCode: "test/gone" });
		await deliver([startMessage(row)], MAX_ATTEMPTS);
		expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "model_unavailable" } });
	});
});

describe("dead letters", () => {
	test("end a living job with that reason and let an ended one be", async () => {
		const { ctx } = createPipeline();
		const living = await insertJob({ audio: wav(1) });
		const done = await insertJob({ audio: wav(1), status: "DONE" });
		const messages = [living, done].map((row, index) => ({
			id: String(index),
			timestamp: new Date(),
			attempts: 1,
			body: startMessage(row),
		}));
		await consumeDeadLetters(ctx, createMessageBatch("parley-transcription-dead", messages));
		expect(await read(living)).toMatchObject({ status: "FAILED", error: { code: "gave_up" } });
		expect((await read(done)).status).toBe("DONE");
	});

	test("a message that nobody understands is dropped", async () => {
		const { deliver } = createPipeline();
		const result = await deliver([{ type: "Nonsense" } as never]);
		expect(result.explicitAcks).toHaveLength(1);
	});
});

describe("a job that ends while it is worked on", () => {
	const cancel = (row: JobRow) => db.update(jobs).set({ status: "CANCELLED" }).where(eq(jobs.id, row.id));

	test("keeps its end, and the chunk's result goes", async () => {
		let row: JobRow | undefined;
		const world = outside({}, async () => {
			if (row) await cancel(row);
			return verboseJson();
		});
		const pipeline = createPipeline(world);
		const waiting = await decoding(pipeline);
		row = waiting.row;
		const result = await pipeline.deliver([waiting.chunk]);
		expect(result.explicitAcks).toHaveLength(1);
		expect((await read(row)).status).toBe("CANCELLED");
		expect(await keysOf(row, "work")).toEqual([]);
		expect(pipeline.sent).toEqual([]);
	});

	test("and is deleted leaves no output of a finisher that came late", async () => {
		const pipeline = createPipeline(outside());
		const { row, chunk } = await decoding(pipeline);
		await pipeline.deliver([chunk]);
		const [finish] = pipeline.sent.splice(0);
		const slow = createPipeline();
		const batch = slow.ctx.db.batch;
		// Another finisher ends the job and its owner deletes it while this one is about to do the same.
		slow.ctx.db.batch = (async (statements: Parameters<typeof batch>[0]) => {
			await db.update(jobs).set({ deletedAt: row.submittedAt }).where(eq(jobs.id, row.id));
			await eraseJob(db, env.MEDIA, row, new Date());
			return batch.call(slow.ctx.db, statements);
		}) as unknown as typeof batch;
		await slow.deliver(finish ? [finish.body] : []);
		expect(await keysOf(row)).toEqual([]);
		expect(await env.MEDIA.head(outputKey(row, "json"))).toBeNull();
	});
});
