import { toJob } from "@parley/batch/to-job";
import { describe, expect, test } from "vitest";
import { outside, verboseJson } from "../../test/engine.ts";
import { createPipeline, fetchMessage, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

type Pipeline = ReturnType<typeof createPipeline>;
type Row = Awaited<ReturnType<typeof insertJob>>;

const busy = () => Response.json({ error: { message: "sk-secret is over its limit" } }, { status: 503 });
const said = (content: string) =>
	Response.json({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] });

const nothing = { attempts: 0, last_error: null, next_attempt_at: null };

/** The part of a job's record that tells what is tried again. */
async function told(row: Row) {
	const { attempts, last_error, next_attempt_at } = toJob(await read(row));
	return { attempts, last_error, next_attempt_at };
}

/** A job of this length whose chunks wait to be recognised. */
async function decoding(pipeline: Pipeline, seconds = 3) {
	const row = await insertJob({ audio: wav(seconds) });
	await pipeline.deliver([startMessage(row)]);
	return { row, chunks: pipeline.sent.splice(0).map(({ body }) => body) };
}

describe("a record tells what its job tries again, and why:", () => {
	test("a chunk, until its engine has answered", async () => {
		const pipeline = createPipeline(outside({}, busy, busy, verboseJson));
		const { row, chunks } = await decoding(pipeline);
		expect(await told(row)).toEqual(nothing);
		await pipeline.deliver(chunks);
		await pipeline.deliver(chunks, 2);
		const record = await told(row);
		expect(record).toEqual({
			attempts: 2,
			last_error: { code: "engine_unavailable", message: expect.any(String), retryable: true },
			next_attempt_at: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		expect(Date.parse(record.next_attempt_at ?? "")).toBeGreaterThan(pipeline.ctx.clock().getTime());
		expect(JSON.stringify(record)).not.toContain("secret");
		await pipeline.deliver(chunks, 3);
		expect(await told(row)).toEqual(nothing);
	});

	test("the chunk that was tried most often, as long as it has not come through", async () => {
		const pipeline = createPipeline(outside({}, busy, busy, verboseJson));
		const { row, chunks } = await decoding(pipeline, 200);
		const [first = startMessage(row), second = startMessage(row)] = chunks;
		await pipeline.deliver([first], 4);
		await pipeline.deliver([second], 2);
		expect(await told(row)).toMatchObject({ attempts: 4 });
		await pipeline.deliver([first], 5);
		expect(await told(row)).toMatchObject({ attempts: 2 });
		await pipeline.deliver([second], 3);
		expect(await told(row)).toEqual(nothing);
	});

	test("a fetch, until the audio is there", async () => {
		let tries = 0;
		const hosts = { "busy.example": () => (tries++ === 0 ? busy() : new Response(wav(3) as BodyInit)) };
		const pipeline = createPipeline(outside(hosts));
		const row = await insertJob({ inputUrl: "https://busy.example/a.wav?token=secret" });
		await pipeline.deliver([fetchMessage(row)]);
		const record = await told(row);
		expect(record).toMatchObject({ attempts: 1, last_error: { code: "input_http_error", retryable: true } });
		expect(JSON.stringify(record)).not.toContain("secret");
		await pipeline.deliver([fetchMessage(row)], 2);
		expect(await read(row)).toMatchObject({ status: "DECODING", retries: null });
	});

	test("an extra, until it is made or given up", async () => {
		const records: unknown[] = [];
		let tries = 0;
		const hosts = { "chat.example": () => (tries++ < 2 ? busy() : said('{"sentences":[]}')) };
		const pipeline = createPipeline({
			...outside(hosts),
			sleep: async () => void records.push(await told(row)),
		});
		const { jobConfig } = await insertJob();
		const row = await insertJob({
			audio: wav(3),
			jobConfig: { ...jobConfig, translation_config: { target_languages: ["fr"] } },
		});
		await pipeline.deliver([startMessage(row)]);
		await pipeline.drain();
		expect(records).toMatchObject([
			{ attempts: 1, last_error: { code: "engine_unavailable", retryable: true } },
			{ attempts: 2 },
		]);
		expect(await read(row)).toMatchObject({ status: "DONE", retries: null });
	});
});

test("a job that has ended tells of no retry", async () => {
	const pipeline = createPipeline(outside({}, busy));
	const { row, chunks } = await decoding(pipeline);
	await pipeline.deliver(chunks, 9);
	expect(await told(row)).toMatchObject({ attempts: 9 });
	await pipeline.deliver(chunks, 10);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "engine_unavailable" } });
	expect(await told(row)).toEqual(nothing);
});
