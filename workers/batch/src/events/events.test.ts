import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { authenticateKey } from "@parley/auth/authenticate-key";
import { reportJob } from "@parley/batch/events/report-jobs";
import type { JobRow } from "@parley/db/batch/jobs";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { base64, type Client, createClient, insertJob } from "../../test/client.ts";
import type { Ctx } from "../context.ts";
import { CHECK_MS, openEventStream } from "./events.service.ts";

const db = openDatabase(env.DB);
const feedOf = ({ organisation }: Client) => env.JOB_FEED.getByName(organisation.id);
const listenersOf = (client: Client) =>
	runInDurableObject(feedOf(client), (_, state) => state.getWebSockets().length);

/** Reports a job's state as the transcriber does, and resolves once every listener has it. */
async function report(row: JobRow): Promise<void> {
	let work: Promise<unknown> | undefined;
	reportJob(
		{
			env,
			defer: (given) => {
				work = given;
			},
		},
		row,
	);
	await work;
}

type Event = { id: string; event: string; data: Record<string, unknown> };

/** Opens the stream and reads its events one by one. */
async function openStream({ organisation }: Client, headers: Record<string, string> = {}) {
	const request = new Request("https://batch.parley.example/v1/batch/events", {
		headers: { "x-api-key": organisation.batchKey, ...headers },
	});
	const response = await exports.default.fetch(request);
	if (!response.body) throw new Error("There is no body");
	return { response, ...readEvents(response.body) };
}

/** Opens the stream without HTTP between, so that a test may leave it as a client that disconnects does. */
async function openDirectly({ organisation }: Client, checkMs?: number) {
	const parts = { env, db, clock: () => new Date(), defer: () => {}, requestId: "test" };
	const actor = await authenticateKey(parts, organisation.batchKey);
	return openEventStream({ ...parts, actor } as unknown as Ctx, undefined, checkMs ? { checkMs } : {});
}

const revokeKeys = ({ organisation }: Client) =>
	db
		.update(apiKeys)
		.set({ deletedAt: new Date().toISOString() })
		.where(eq(apiKeys.organisationId, organisation.id));

function readEvents(events: ReadableStream<Uint8Array>) {
	const reader = events.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	/** Returns the next block of lines; undefined at the end of the stream. */
	const nextBlock = async (): Promise<string | undefined> => {
		while (!text.includes("\n\n")) {
			const { value, done } = await reader.read();
			if (done) return undefined;
			text += value;
		}
		const at = text.indexOf("\n\n");
		const block = text.slice(0, at);
		text = text.slice(at + 2);
		return block;
	};
	const next = async (): Promise<Event | undefined> => {
		for (;;) {
			const block = await nextBlock();
			if (block === undefined) return undefined;
			const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
			if (fields.event) return { ...fields, data: JSON.parse(fields.data) };
		}
	};
	return { next, nextBlock, close: () => reader.cancel() };
}

describe("a stream of job events", () => {
	test("begins with ready and reports each change of a job", async () => {
		const client = await createClient();
		const { response, next, close } = await openStream(client);
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(await next()).toMatchObject({ event: "ready", data: { resumed: false } });

		const input = { input_base64: base64("RIFF"), input_filename: "a.wav" };
		const { body } = await client.submit<{ job_id: string }>(input);
		expect(await next()).toMatchObject({
			event: "job",
			data: { job_id: body.job_id, status: "QUEUED", progress: 0, error: null, completed_at: null },
		});
		await client.call("POST", `/v1/batch/jobs/${body.job_id}/cancel`);
		expect(await next()).toMatchObject({
			event: "job",
			data: { job_id: body.job_id, status: "CANCELLED", completed_at: expect.any(String) },
		});
		await client.call("DELETE", `/v1/batch/jobs/${body.job_id}`);
		expect(await next()).toMatchObject({ event: "job_deleted", data: { job_id: body.job_id } });
		await close();
	});

	test("carries no events of another organisation", async () => {
		const [mine, theirs] = [await createClient(), await createClient()];
		const { next, close } = await openStream(mine);
		await next();
		await report(await insertJob(theirs.organisation.id));
		const own = await insertJob(mine.organisation.id);
		await report(own);
		expect(await next()).toMatchObject({ data: { job_id: own.jobId } });
		await close();
	});

	test("resumes after Last-Event-ID with what was missed, in order", async () => {
		const client = await createClient();
		const first = await openStream(client);
		await first.next();
		const row = await insertJob(client.organisation.id);
		await report(row);
		const seen = await first.next();
		await first.close();
		const later = (status: JobRow["status"], second: number) =>
			report({ ...row, status, updatedAt: new Date(Date.now() + second * 1000).toISOString() });
		await later("IN_PROGRESS", 1);
		await later("DECODING", 2);

		const { next, close } = await openStream(client, { "last-event-id": seen?.id ?? "" });
		expect(await next()).toMatchObject({ id: seen?.id, event: "ready", data: { resumed: true } });
		expect((await next())?.data.status).toBe("IN_PROGRESS");
		expect((await next())?.data.status).toBe("DECODING");
		await close();
	});

	test.each(["nonsense", "a-1", `${"9".repeat(400)}-5`])(
		"with the unknown id %s says that events may be missing",
		async (id) => {
			const { next, close } = await openStream(await createClient(), { "last-event-id": id });
			expect(await next()).toMatchObject({ event: "ready", data: { resumed: false } });
			await close();
		},
	);

	test("goes on when the feed was evicted, and a listener that was away then reads its jobs again", async () => {
		const client = await createClient();
		const { next, close } = await openStream(client);
		const ready = await next();
		await evictDurableObject(feedOf(client), { webSockets: "hibernate" });
		const row = await insertJob(client.organisation.id);
		await report(row);
		expect(await next()).toMatchObject({ event: "job", data: { job_id: row.jobId } });
		const other = await openStream(client, { "last-event-id": ready?.id ?? "" });
		expect(await other.next()).toMatchObject({ data: { resumed: false } });
		await other.close();
		await close();
	});

	test("leaves out a state that a later one has overtaken", async () => {
		const client = await createClient();
		const { next, close } = await openStream(client);
		await next();
		const row = await insertJob(client.organisation.id);
		const after = new Date(Date.now() + 1000).toISOString();
		await report({ ...row, status: "DONE", updatedAt: after });
		await report({ ...row, status: "IN_PROGRESS" });
		await report({ ...row, status: "POST_PROCESSING", updatedAt: after });
		const another = await insertJob(client.organisation.id);
		await report(another);
		expect((await next())?.data).toMatchObject({ job_id: row.jobId, status: "DONE" });
		expect((await next())?.data).toMatchObject({ job_id: another.jobId });
		await close();
	});

	test("leaves nothing behind in the feed when its reader goes", async () => {
		const client = await createClient();
		const events = await openDirectly(client);
		expect(await listenersOf(client)).toBe(1);
		await events.cancel();
		await expect.poll(() => listenersOf(client)).toBe(0);
		const stored = await runInDurableObject(feedOf(client), (_, { storage }) => storage.list());
		expect(stored.size).toBe(0);
	});

	test("cuts off a reader that does not read", async () => {
		const client = await createClient();
		const events = await openDirectly(client);
		const submitted_at = new Date().toISOString();
		await feedOf(client).report(
			Array.from({ length: 1_100 }, (_, index) => ({
				event: "job" as const,
				data: {
					...{ job_id: `job${index}`, status: "QUEUED" as const, progress: 0, error: null, submitted_at },
					...{ updated_at: submitted_at, completed_at: null },
				},
			})),
		);
		await expect.poll(() => listenersOf(client)).toBe(0);
		expect((await new Response(events).text()).match(/^event: job$/gm)?.length).toBeLessThan(1_100);
	});

	test("is one of a thousand of its organisation at most, while wait goes on", async () => {
		const client = await createClient();
		const feed = feedOf(client);
		const open = () => feed.fetch("https://feed.internal/", { headers: { upgrade: "websocket" } });
		const sockets = await Promise.all(Array.from({ length: 1_000 }, open));
		for (const { webSocket } of sockets) webSocket?.accept();
		expect(await client.call("GET", "/v1/batch/events")).toMatchObject({
			status: 429,
			body: { error: expect.stringContaining("too many open event streams") },
		});
		const row = await insertJob(client.organisation.id);
		const waiting = client.call<{ status: string }>("GET", `/v1/batch/jobs/${row.jobId}?wait=25`);
		await expect.poll(() => listenersOf(client)).toBe(1_001);
		const [done] = await db.update(jobs).set({ status: "DONE" }).where(eq(jobs.id, row.id)).returning();
		if (done) await report(done);
		expect((await waiting).body.status).toBe("DONE");
		for (const { webSocket } of sockets) webSocket?.close();
	});

	test("has a heartbeat, and ends when its key is revoked", async () => {
		const client = await createClient();
		const { next, nextBlock } = readEvents(await openDirectly(client, 50));
		await next();
		expect(await nextBlock()).toBe(": heartbeat");
		await revokeKeys(client);
		let block: string | undefined = "";
		for (let heartbeats = 0; block !== undefined && heartbeats < 10; heartbeats++) block = await nextBlock();
		expect(block).toBeUndefined();
		await expect.poll(() => listenersOf(client)).toBe(0);
		expect(CHECK_MS).toBeLessThan(9_000);
	});

	test("is refused to a revoked key, also while the key is cached", async () => {
		const client = await createClient();
		await client.call("GET", "/v1/batch/jobs");
		await revokeKeys(client);
		expect(await client.call("GET", "/v1/batch/events")).toMatchObject({
			status: 401,
			body: { error: "Invalid API key" },
		});
	});
});

describe("wait", () => {
	test("is answered as soon as the job's end is reported", async () => {
		const client = await createClient();
		const row = await insertJob(client.organisation.id);
		const waiting = client.call<{ status: string }>("GET", `/v1/batch/jobs/${row.jobId}?wait=25`);
		await expect.poll(() => listenersOf(client)).toBe(1);
		const startedAt = Date.now();
		const [done] = await db.update(jobs).set({ status: "DONE" }).where(eq(jobs.id, row.id)).returning();
		if (done) await report(done);
		expect((await waiting).body.status).toBe("DONE");
		expect(Date.now() - startedAt).toBeLessThan(1_000);
		await expect.poll(() => listenersOf(client)).toBe(0);
	});

	test("goes on after reports that are no end, and answers the job as it is when its time is over", async () => {
		const client = await createClient();
		const row = await insertJob(client.organisation.id);
		const waiting = client.call<{ status: string }>("GET", `/v1/batch/jobs/${row.jobId}?wait=1`);
		await expect.poll(() => listenersOf(client)).toBe(1);
		await db.update(jobs).set({ status: "DECODING" }).where(eq(jobs.id, row.id));
		await report({ ...row, status: "DECODING" });
		expect((await waiting).body.status).toBe("DECODING");
	});

	test("answers 404 once the job is deleted", async () => {
		const client = await createClient();
		const row = await insertJob(client.organisation.id);
		const waiting = client.call("GET", `/v1/batch/jobs/${row.jobId}?wait=25`);
		await expect.poll(() => listenersOf(client)).toBe(1);
		await client.call("POST", `/v1/batch/jobs/${row.jobId}/cancel`);
		expect((await waiting).status).toBe(200);
	});
});
