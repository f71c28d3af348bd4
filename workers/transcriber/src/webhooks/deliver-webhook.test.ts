import { env } from "cloudflare:test";
import { dueNow, releaseDeliveries } from "@parley/batch/deliveries";
import { eraseJob } from "@parley/batch/erase-job";
import { endOfJob } from "@parley/batch/job-end";
import { notificationKey, outputKey } from "@parley/batch/object-keys";
import { deliveries } from "@parley/db/batch/deliveries";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { rotateSigningSecret } from "@parley/webhooks/signing-secrets";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { outside } from "../../test/engine.ts";
import {
	createHook,
	deliverHooks,
	deliverQueued,
	insertDelivery,
	messageOf,
	readDelivery,
	secretsOf,
	withLoopback,
} from "../../test/hooks.ts";
import { createPipeline, db, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import type { Ctx } from "../context.ts";
import { failJob } from "../jobs/fail-job.ts";
import { StepError } from "../step-error.ts";
import { sweep } from "../sweeper/sweep.ts";
import { MAX_TRANSCRIPT_BYTES } from "./notification-body.ts";

afterEach(() => void vi.restoreAllMocks());

const TOKEN = "Authorization: Bearer a-token-nobody-may-see";
const MINUTE_MS = 60_000;

/** A job that has just ended, and a delivery of it that is due. */
async function due(
	url: string,
	options: Parameters<typeof insertDelivery>[2] | object = {},
	deps: Partial<Ctx> = {},
) {
	const pipeline = withLoopback(createPipeline(deps));
	const now = new Date();
	const job = await insertJob({ status: "DONE", ...endOfJob(now, 7) });
	const waiting = await insertDelivery(pipeline, job, { url, ...options });
	await releaseDeliveries(db, job, "DONE", now);
	return { pipeline, job, delivery: await readDelivery(waiting), message: messageOf(waiting) };
}

describe("the end of a job is told:", () => {
	test("done, with transcripts and the record, and the scheme's own library verifies it", async () => {
		const hook = createHook();
		const pipeline = withLoopback(createPipeline(outside()));
		const row = await insertJob({ audio: wav(3) });
		const delivery = await insertDelivery(pipeline, row, {
			url: hook.url,
			contents: ["jobinfo", "transcript.json", "transcript.txt", "transcript.srt", "transcript.vtt"],
		});
		await pipeline.deliver([startMessage(row)]);
		await pipeline.drain();
		const done = await read(row);
		expect(done.status).toBe("DONE");
		expect(pipeline.webhooks.map(({ body }) => body)).toEqual([messageOf(delivery)]);
		pipeline.ctx.fetch = fetch;
		await deliverQueued(pipeline);

		const [received, ...more] = await hook.seen();
		expect(more).toEqual([]);
		const [secret] = await secretsOf(pipeline, row);
		const body = new Webhook(secret ?? "").verify(received!.body, received!.headers);
		expect(body).toEqual({
			type: "job.completed",
			timestamp: done.completedAt,
			data: {
				job: expect.objectContaining({ job_id: row.jobId, status: "DONE", progress: 1 }),
				"transcript.json": expect.objectContaining({ results: expect.any(Array) }),
				"transcript.txt": expect.stringContaining("Hello, world."),
				"transcript.srt": expect.stringMatching(/^1\r\n/),
				"transcript.vtt": expect.stringMatching(/^WEBVTT/),
			},
		});
		expect(received).toMatchObject({
			method: "POST",
			headers: { "content-type": "application/json", "webhook-id": delivery.id },
		});
		expect(await readDelivery(delivery)).toMatchObject({
			status: "delivered",
			event: "job.completed",
			attempts: [{ status_code: 200, error: null, response_snippet: "answer 200" }],
			...{ dueAt: null, wakeAt: null, leaseToken: null },
		});
	});

	test("failed, with its reason and no transcripts", async () => {
		const hook = createHook();
		const pipeline = withLoopback(createPipeline());
		const row = await insertJob();
		const contents = ["jobinfo" as const, "transcript.txt" as const];
		await insertDelivery(pipeline, row, { url: hook.url, contents, method: "put" });
		const ref = { organisation_id: row.organisationId, job_id: row.jobId };
		for (const reason of ["first", "second"]) await failJob(pipeline.ctx, ref, new StepError("x", reason));
		expect(pipeline.webhooks).toHaveLength(1);
		await deliverQueued(pipeline);
		const [received] = await hook.seen();
		expect(received?.method).toBe("PUT");
		const { type, data } = JSON.parse(received?.body ?? "");
		expect(type).toBe("job.failed");
		expect(data).toEqual({ job: expect.objectContaining({ error_message: "first", status: "FAILED" }) });
	});

	test("a notification without jobinfo has id and status; a transcript that is too large is named with its path", async () => {
		const hook = createHook();
		const contents = ["transcript.txt", "transcript.srt"];
		const { pipeline, job, message } = await due(hook.url, { contents });
		await env.MEDIA.put(outputKey(job, "txt"), "x".repeat(MAX_TRANSCRIPT_BYTES + 1));
		await env.MEDIA.put(outputKey(job, "srt"), "1");
		await deliverHooks(pipeline, [message]);
		const [received] = await hook.seen();
		expect(JSON.parse(received?.body ?? "").data).toEqual({
			job: { job_id: job.jobId, status: "DONE" },
			"transcript.srt": "1",
			omitted: [{ content: "transcript.txt", path: `/v1/batch/jobs/${job.jobId}/transcript?format=txt` }],
		});
	});

	test("not before it", async () => {
		const hook = createHook();
		const pipeline = withLoopback(createPipeline());
		const waiting = await insertDelivery(pipeline, await insertJob(), { url: hook.url });
		const result = await deliverHooks(pipeline, [messageOf(waiting)]);
		expect(result.ackAll).toBe(true);
		expect(await hook.seen()).toEqual([]);
	});
});

describe("a delivery that fails", () => {
	test("is tried again with the same id and bytes until it succeeds", async () => {
		const hook = createHook("500,break,200");
		const { pipeline, job, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		expect(await readDelivery(delivery)).toMatchObject({ status: "pending", triesLeft: 5, leaseToken: null });
		expect(pipeline.webhooks).toEqual([{ body: message, delaySeconds: 32 }]);
		// Whatever becomes of the record meanwhile.
		await db
			.update(jobs)
			.set({ metadata: { changed: true } })
			.where(eq(jobs.id, job.id));
		await deliverQueued(pipeline, 32_000);
		await deliverQueued(pipeline, 100_000);
		const seen = await hook.seen();
		expect(seen).toHaveLength(3);
		expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
		expect(new Set(seen.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([delivery.id]));
		expect(new Set(seen.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
		const { status, attempts } = await readDelivery(delivery);
		expect(status).toBe("delivered");
		expect(attempts.map(({ status_code, error }) => [status_code, error])).toEqual([
			[500, "The host answered with status 500"],
			[null, "The host refused the connection or closed it without an answer"],
			[200, null],
		]);
	});

	test("six times has failed", async () => {
		const hook = createHook("404");
		const { pipeline, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		for (let tries = 0; tries < 8; tries++) await deliverQueued(pipeline, 6 * 60 * MINUTE_MS);
		expect(await hook.seen()).toHaveLength(6);
		const row = await readDelivery(delivery);
		expect(row).toMatchObject({ status: "failed", triesLeft: 0, dueAt: null, wakeAt: null });
		expect(row.attempts).toHaveLength(6);
	});

	test("is not tried before its time, nor by two messages at once", async () => {
		const hook = createHook("503,200");
		const { pipeline, message } = await due(hook.url);
		await deliverHooks(pipeline, [message, message, message]);
		await deliverHooks(pipeline, [message]);
		expect(await hook.seen()).toHaveLength(1);
	});

	test("because its receiver is gone for good ends at once", async () => {
		const hook = createHook("410");
		const { pipeline, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		expect(await readDelivery(delivery)).toMatchObject({
			status: "failed",
			attempts: [{ status_code: 410, error: "The host accepts no more notifications: status 410" }],
		});
		expect(pipeline.webhooks).toEqual([]);
	});

	test("because its host sends it elsewhere is not followed, and says so", async () => {
		const hook = createHook("302,307");
		const { pipeline, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		await deliverQueued(pipeline, MINUTE_MS);
		expect(await hook.seen()).toHaveLength(2);
		const { attempts } = await readDelivery(delivery);
		expect(attempts.map(({ status_code, error }) => [status_code, error])).toEqual(
			[302, 307].map((status) => [
				status,
				`The host answered with a redirect (status ${status}), and redirects are not followed`,
			]),
		);
	});

	test.each([
		["429-600", 600],
		["503-600", 600],
		["500-600", 32],
		["429-99999999", 6 * 3600],
	])("with %s is tried again after %d s", async (answer, seconds) => {
		const { pipeline, message } = await due(createHook(answer).url);
		await deliverHooks(pipeline, [message]);
		const [next] = pipeline.webhooks;
		expect(next?.delaySeconds).toBeGreaterThanOrEqual(seconds - 1);
		expect(next?.delaySeconds).toBeLessThanOrEqual(seconds);
	});

	test("because its host is slow gives up after fifteen seconds", async () => {
		const hook = createHook("hang");
		const { pipeline, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		const { status, attempts } = await readDelivery(delivery);
		expect(status).toBe("pending");
		expect(attempts).toMatchObject([{ status_code: null, error: "The host did not answer in time" }]);
		expect(attempts[0]?.duration_ms).toBeGreaterThanOrEqual(14_900);
	}, 30_000);

	const loopback = { EGRESS_ALLOW_LOOPBACK: "true", EGRESS_OWN_PORTS: "8787" };
	test.each<[string, object]>([
		["http://127.0.0.1:9/h", {}],
		["https://10.0.0.1/h", {}],
		["https://metadata.google.internal/h", {}],
		["http://hooks.example/h", loopback],
		["http://127.0.0.1:8787/v1/me", loopback],
		["http://localhost:9999/cdn-cgi/local/explorer/api/d1/database", loopback],
	])("because %s is none that may be reached ends at once, without a request", async (url, settings) => {
		const send = vi.fn<typeof fetch>();
		const { pipeline, delivery, message } = await due(url, {}, { fetch: send });
		pipeline.ctx.env = { ...pipeline.ctx.env, EGRESS_ALLOW_LOOPBACK: "false", ...settings };
		await deliverHooks(pipeline, [message]);
		expect(send).not.toHaveBeenCalled();
		expect(await readDelivery(delivery)).toMatchObject({
			status: "failed",
			attempts: [{ status_code: null }],
		});
	});
});

test.each([
	["404", { status: "delivered", attempts: [{ status_code: 200 }, { status_code: 404 }] }],
	["410", { status: "delivered", attempts: [{ status_code: 200 }, { status_code: 410 }] }],
	["200", { status: "delivered", attempts: [{ status_code: 200 }, { status_code: 200 }] }],
])(
	"what was delivered stays so, with its time, when a redelivery is answered %s",
	async (answer, expected) => {
		const hook = createHook(`200,${answer}`);
		const { pipeline, delivery, message } = await due(hook.url);
		await deliverHooks(pipeline, [message]);
		const { deliveredAt } = await readDelivery(delivery);
		pipeline.skip(MINUTE_MS);
		await db
			.update(deliveries)
			.set({ ...dueNow(pipeline.ctx.clock()), triesLeft: 1 })
			.where(eq(deliveries.id, delivery.id));
		await deliverHooks(pipeline, [message]);
		expect(await readDelivery(delivery)).toMatchObject({ ...expected, deliveredAt, dueAt: null });
	},
);

describe("a worker that dies", () => {
	const cutOff = (pipeline: Awaited<ReturnType<typeof due>>["pipeline"]) => {
		const original = pipeline.ctx.db;
		let updates = 0;
		pipeline.ctx.db = new Proxy(original, {
			get: (target, name) => {
				// The first update claims, the second would mark.
				if (name === "update" && ++updates === 2) throw new Error("power cut");
				const value = Reflect.get(target, name);
				return typeof value === "function" ? value.bind(target) : value;
			},
		});
		return () => {
			pipeline.ctx.db = original;
		};
	};

	test("between request and mark leaves the delivery to be sent once more, under its id, and marked once", async () => {
		vi.spyOn(console, "error").mockImplementation(() => undefined);
		const hook = createHook();
		const { pipeline, delivery, message } = await due(hook.url);
		const restore = cutOff(pipeline);
		await deliverHooks(pipeline, [message]);
		restore();
		// Its lease holds others off.
		await deliverHooks(pipeline, [message]);
		expect(await hook.seen()).toHaveLength(1);

		pipeline.skip(2 * MINUTE_MS);
		await sweep(pipeline.ctx);
		expect(pipeline.webhooks.map(({ body }) => body)).toContainEqual(message);
		await deliverHooks(pipeline, [message, message]);
		await deliverHooks(pipeline, [message]);
		const seen = await hook.seen();
		expect(seen.map(({ headers }) => headers["webhook-id"])).toEqual([delivery.id, delivery.id]);
		const row = await readDelivery(delivery);
		expect(row.status).toBe("delivered");
		expect(row.attempts).toHaveLength(1);
	});

	test("each time it begins a delivery ends it", async () => {
		const hook = createHook();
		const { pipeline, delivery, message } = await due(hook.url);
		await db.update(deliveries).set({ claims: 25 }).where(eq(deliveries.id, delivery.id));
		await deliverHooks(pipeline, [message]);
		expect(await hook.seen()).toEqual([]);
		expect(await readDelivery(delivery)).toMatchObject({ status: "failed" });
	});

	test("and comes back late marks nothing", async () => {
		const hook = createHook();
		const pausing: typeof fetch = async (...args) => {
			const response = await fetch(...args);
			await db.update(deliveries).set({ leaseToken: "of-another" }).where(eq(deliveries.id, delivery.id));
			return response;
		};
		const { pipeline, delivery, message } = await due(hook.url, {}, { fetch: pausing });
		await deliverHooks(pipeline, [message]);
		expect(await readDelivery(delivery)).toMatchObject({ status: "pending", attempts: [] });
	});
});

describe("a message that was lost", () => {
	test("is sent by the sweeper, by an indexed read, and not at each of its runs", async () => {
		const hook = createHook();
		const { pipeline, delivery, message } = await due(hook.url);
		const sentOf = () => pipeline.webhooks.filter(({ body }) => body.delivery_id === delivery.id);
		await sweep(pipeline.ctx);
		expect(sentOf()).toEqual([]);
		for (let minute = 0; minute < 4; minute++) {
			pipeline.skip(MINUTE_MS);
			await sweep(pipeline.ctx);
		}
		expect(sentOf().map(({ body }) => body)).toEqual([message]);
		await deliverQueued(pipeline);
		expect(await hook.seen()).toHaveLength(1);
		const plan = await env.DB.prepare(
			"explain query plan select id from deliveries where wake_at is not null and wake_at <= ? order by wake_at",
		)
			.bind("2026")
			.all();
		expect(JSON.stringify(plan.results)).toContain("deliveries_wake");
	});

	test("does not keep the job from ending when the queue is out of order", async () => {
		vi.spyOn(console, "error").mockImplementation(() => undefined);
		const pipeline = createPipeline(outside());
		const row = await insertJob({ audio: wav(3) });
		const delivery = await insertDelivery(pipeline, row, { url: createHook().url });
		const broken = { sendBatch: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
		pipeline.ctx.env = { ...pipeline.ctx.env, WEBHOOKS: broken };
		await pipeline.deliver([startMessage(row)]);
		await pipeline.drain();
		expect((await read(row)).status).toBe("DONE");
		expect(await readDelivery(delivery)).toMatchObject({ status: "pending", event: "job.completed" });
		expect(await keysOf(row, "work")).toEqual([]);
	});
});

describe("auth headers", () => {
	test("arrive, and their values are in no row and no log, whatever the host sends back", async () => {
		const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
		for (const answer of ["echo", "flood"]) {
			const hook = createHook(answer);
			const { pipeline, delivery, message } = await due(hook.url, {
				authHeaders: [TOKEN, "X-Key: 0123456789"],
			});
			await deliverHooks(pipeline, [message]);
			const [received] = await hook.seen();
			expect(received?.headers).toMatchObject({
				authorization: "Bearer a-token-nobody-may-see",
				"x-key": "0123456789",
			});
			const row = await readDelivery(delivery);
			expect(row.status).toBe("delivered");
			const [attempt] = row.attempts;
			expect(attempt?.response_snippet).toContain("[redacted]");
			expect(attempt?.response_snippet?.length).toBeLessThanOrEqual(4096);
			expect(JSON.stringify(row)).not.toMatch(/a-token|nobody-may-see|0123456789/);
			expect(JSON.stringify(await secretsOf(pipeline, row))).toContain("whsec_");
			expect(JSON.stringify(row)).not.toContain("whsec_");
		}
		expect(log).not.toHaveBeenCalled();
	});

	test("headers sealed for another job do not open: the attempt fails without showing them", async () => {
		const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
		const hook = createHook();
		const one = await due(hook.url, { authHeaders: [TOKEN] });
		const other = await due(hook.url, { sealedHeaders: one.delivery.sealedHeaders });
		await deliverHooks(other.pipeline, [other.message]);
		expect(await hook.seen()).toEqual([]);
		expect(await readDelivery(other.delivery)).toMatchObject({
			status: "pending",
			attempts: [{ error: "An internal error stopped this attempt" }],
		});
		expect(JSON.stringify(log.mock.calls)).not.toContain("a-token");
	});
});

describe("a rotated secret", () => {
	test("signs beside its successor until the overlap is over", async () => {
		const hook = createHook("500");
		const { pipeline, job, message } = await due(hook.url);
		const [old = ""] = await secretsOf(pipeline, job);
		const owner = { organisationId: job.organisationId, createdBy: "test" };
		const { secret } = await rotateSigningSecret(pipeline.ctx, owner, 4 * MINUTE_MS);
		await deliverHooks(pipeline, [message]);
		await deliverQueued(pipeline, 5 * MINUTE_MS);
		const [during, after] = await hook.seen();
		const verifies = (key: string, received = during) => {
			// Tries are as far apart as the test's clock says, which is not this library's.
			const { body, headers } = received!;
			const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
			return headers["webhook-signature"]
				?.split(" ")
				.includes(new Webhook(key).sign(headers["webhook-id"]!, at, body));
		};
		expect([verifies(old), verifies(secret)]).toEqual([true, true]);
		expect([verifies(old, after), verifies(secret, after)]).toEqual([false, true]);
	});
});

describe("a job that goes takes its deliveries along:", () => {
	const rowsOf = (job: JobRow) => db.select().from(deliveries).where(eq(deliveries.jobId, job.jobId));

	test("deleted, also while one is being sent", async () => {
		const hook = createHook();
		const deleting: typeof fetch = async (...args) => {
			await db.update(jobs).set({ deletedAt: job.submittedAt }).where(eq(jobs.id, job.id));
			await eraseJob(db, env.MEDIA, job, new Date());
			return fetch(...args);
		};
		const { pipeline, job, delivery, message } = await due(hook.url, {}, { fetch: deleting });
		await deliverHooks(pipeline, [message]);
		expect(await rowsOf(job)).toEqual([]);
		expect(await env.MEDIA.head(notificationKey(job, delivery.id))).toBeNull();
	});

	test("at the end of its retention", async () => {
		const { pipeline, job, message } = await due(createHook().url);
		await deliverHooks(pipeline, [message]);
		pipeline.skip(8 * 24 * 60 * MINUTE_MS);
		await sweep(pipeline.ctx);
		expect(await rowsOf(job)).toEqual([]);
		expect(await keysOf(job)).toEqual([]);
		expect((await read(job)).filesRemovedAt).not.toBeNull();
	});
});
