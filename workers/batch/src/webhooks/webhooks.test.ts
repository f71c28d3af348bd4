import { env } from "cloudflare:workers";
import { releaseDeliveries } from "@parley/batch/deliveries";
import { endOfJob } from "@parley/batch/job-end";
import type { Job } from "@parley/contracts/batch/jobs";
import type {
	Delivery,
	DeliveryPage,
	RotatedWebhookSecret,
	ShownNotification,
	WebhookSecret,
} from "@parley/contracts/batch/webhooks";
import { type DeliveryRow, deliveries } from "@parley/db/batch/deliveries";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { webhookSecrets } from "@parley/db/batch/webhook-secrets";
import { openDatabase } from "@parley/db/client";
import { openHeaders } from "@parley/webhooks/sealed-headers";
import { openSigningSecrets } from "@parley/webhooks/signing-secrets";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";

const db = openDatabase(env.DB);
const vault = { db, env, clock: () => new Date() };
const TOKEN = "a-token-nobody-may-see";
const input_url = "https://example.com/a.wav";
const hook = { url: "https://example.com/hooks", auth_headers: [`Authorization: Bearer ${TOKEN}`] };

const rowsOf = ({ organisation }: Client) =>
	db.select().from(deliveries).where(eq(deliveries.organisationId, organisation.id));

/** A submitted job that tells one hook; ended unless said otherwise. */
async function notifying(client: Client, { isEnded = true } = {}) {
	const { body } = await client.submit({ input_url, notification_config: [hook] });
	const job = { organisationId: client.organisation.id, jobId: body.job_id };
	if (isEnded) {
		const own = and(eq(jobs.organisationId, job.organisationId), eq(jobs.jobId, job.jobId));
		const now = new Date();
		await db.batch([
			db
				.update(jobs)
				.set({ status: "DONE", ...endOfJob(now, 7) })
				.where(own),
			releaseDeliveries(db, job, "DONE", now),
		]);
	}
	const [delivery] = await rowsOf(client);
	const path = `/v1/batch/jobs/${job.jobId}/deliveries`;
	return { job, path, redeliverPath: `${path}/${delivery?.id}/redeliver`, delivery: delivery as DeliveryRow };
}

const settle = ({ id }: DeliveryRow, status: "delivered" | "failed") =>
	db.update(deliveries).set({ status, dueAt: null, wakeAt: null }).where(eq(deliveries.id, id));

describe("a submission with notifications", () => {
	test("has its record show all but the values of the headers, and no row holds those in the clear", async () => {
		const client = await createClient();
		const notification_config = [
			hook,
			{ url: "https://example.org", contents: ["transcript.srt"], method: "put" },
		];
		const submitted = await client.submit({ input_url, notification_config });
		expect(submitted.status).toBe(202);
		const { body } = await client.call<Job>("GET", `/v1/batch/jobs/${submitted.body.job_id}`);
		expect(body.job_config.notification_config).toEqual([
			{ url: hook.url, contents: ["jobinfo"], method: "post", auth_headers: ["Authorization"] },
			{ url: "https://example.org/", contents: ["transcript.srt"], method: "put", auth_headers: [] },
		] satisfies ShownNotification[]);
		const rows = await rowsOf(client);
		expect(rows).toMatchObject([
			{ position: 0, status: "waiting", event: null, dueAt: null, wakeAt: null },
			{ position: 1, status: "waiting", sealedHeaders: null, method: "put" },
		]);
		const [job] = await db.select().from(jobs).where(eq(jobs.organisationId, client.organisation.id));
		expect(JSON.stringify([body, rows, job])).not.toContain(TOKEN);
		const [first] = rows;
		expect(await openHeaders(vault, first as DeliveryRow)).toEqual([
			{ name: "Authorization", value: `Bearer ${TOKEN}` },
		]);
	});

	test("makes the organisation's secret on the way, once", async () => {
		const client = await createClient();
		const answers = await Promise.all(
			[1, 2, 3].map(() => client.submit({ input_url, notification_config: [hook] })),
		);
		expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
		expect(await openSigningSecrets(vault, client.organisation.id)).toEqual([
			expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
		]);
	});

	test("under a job_id is the same only with the same header values", async () => {
		const client = await createClient();
		const body = { job_id: "again", input_url, notification_config: [hook] };
		for (const _ of [1, 2]) expect((await client.submit(body)).status).toBe(202);
		const other = { ...hook, auth_headers: ["Authorization: Bearer another"] };
		expect(await client.submit({ ...body, notification_config: [other] })).toMatchObject({
			status: 409,
			body: { error: expect.stringMatching(/^job_id is already used by another job: /) },
		});
		expect(await rowsOf(client)).toHaveLength(1);
	});

	test("without any writes no delivery and makes no secret", async () => {
		const client = await createClient();
		await client.submit({ input_url, notification_config: [] });
		await client.submit({ input_url });
		expect(await rowsOf(client)).toEqual([]);
		expect(await openSigningSecrets(vault, client.organisation.id)).toEqual([]);
		const [job] = await db.select().from(jobs).where(eq(jobs.organisationId, client.organisation.id));
		expect(job?.jobConfig).not.toHaveProperty("notification_config");
	});

	const refused: [string, unknown, string | RegExp][] = [
		["no array", hook, /^notification_config: /],
		["four hooks", [hook, hook, hook, hook], /^notification_config: /],
		["plain http", [{ url: "http://example.com" }], "notification_config.0.url: Must be an https:// URL"],
		["a private address", [hook, { url: "https://10.0.0.1/" }], /^notification_config.1.url: .*public/],
		["loopback", [{ url: "https://127.0.0.1/" }], /^notification_config.0.url: /],
		["a password in the URL", [{ url: "https://a:b@example.com/" }], /^notification_config.0.url: /],
		["no URL", [{}], /^notification_config.0.url: /],
		["an unknown member", [{ ...hook, secret: "x" }], "notification_config.0.secret: Unknown property"],
		["another method", [{ ...hook, method: "get" }], /^notification_config.0.method: /],
		["unknown contents", [{ ...hook, contents: ["audio"] }], /^notification_config.0.contents.0: /],
		[
			"contents given twice",
			[{ ...hook, contents: ["jobinfo", "jobinfo"] }],
			/contents: Given more than once/,
		],
		[
			"six headers",
			[{ ...hook, auth_headers: Array(6).fill("A: b") }],
			/^notification_config.0.auth_headers: /,
		],
		[
			"a header without a colon",
			[{ ...hook, auth_headers: ["Bearer x"] }],
			/auth_headers.0: Not of the form/,
		],
		[
			"a header without a value",
			[{ ...hook, auth_headers: ["X-Key: "] }],
			/auth_headers.0: The header has no/,
		],
		[
			"a header with a line break",
			[{ ...hook, auth_headers: ["X: a\r\nB: c"] }],
			/auth_headers.0: Not a header v/,
		],
		[
			"a header's name with a space",
			[{ ...hook, auth_headers: ["X Key: a"] }],
			/auth_headers.0: Not a header n/,
		],
		[
			"a header given twice",
			[{ ...hook, auth_headers: ["X: a", "x: b"] }],
			/auth_headers.1: Given more than once/,
		],
		...["Host", "content-length", "Content-Type", "Webhook-Id", "webhook-signature", "Connection"].map(
			(name): [string, unknown, RegExp] => [
				`the header ${name}`,
				[{ ...hook, auth_headers: [`${name}: x`] }],
				/auth_headers.0: This header cannot be set/,
			],
		),
	];
	test.each(refused)("is refused with %s, also on presign", async (_name, notification_config, message) => {
		const client = await createClient();
		for (const input of [{ input_url }, { mode: "presign" }]) {
			const answer = await client.submit({ ...input, notification_config });
			expect(answer.status).toBe(400);
			if (message instanceof RegExp) expect(answer.body.error).toMatch(message);
			else expect(answer.body.error).toBe(message);
			expect(answer.body.error).not.toContain(TOKEN);
		}
		expect(await rowsOf(client)).toEqual([]);
	});
});

describe("notifications of a presign call", () => {
	async function upload(client: Client) {
		const request = { mode: "presign", filename: "a.wav", notification_config: [hook] };
		const { body } = await client.submit<{ job_id: string; upload: { s3_key: string } }>(request);
		await env.MEDIA.put(body.upload.s3_key, "RIFF");
		return { job_id: body.job_id, s3_key: body.upload.s3_key };
	}

	test("are those of the job, and their values are sealed while they wait", async () => {
		const client = await createClient();
		const { job_id, s3_key } = await upload(client);
		const waiting = await db.select().from(uploads).where(eq(uploads.organisationId, client.organisation.id));
		expect(JSON.stringify(waiting)).not.toContain(TOKEN);
		expect((await client.submit({ s3_key })).status).toBe(202);
		const [row] = await rowsOf(client);
		expect(row).toMatchObject({ jobId: job_id, url: hook.url });
		expect(await openHeaders(vault, row as DeliveryRow)).toMatchObject([{ value: `Bearer ${TOKEN}` }]);
	});

	test("give way to those of the submission, also to none", async () => {
		const client = await createClient();
		const one = await upload(client);
		const other = [{ url: "https://example.org/other" }];
		await client.submit({ ...one, notification_config: other });
		const two = await upload(client);
		await client.submit({ ...two, notification_config: [] });
		expect((await rowsOf(client)).map(({ jobId, url }) => [jobId, url])).toEqual([
			[one.job_id, other[0]?.url],
		]);
	});
});

test("cancelling a job makes its deliveries due, once", async () => {
	const client = await createClient();
	const { job } = await notifying(client, { isEnded: false });
	for (const _ of [1, 2])
		expect((await client.call("POST", `/v1/batch/jobs/${job.jobId}/cancel`)).status).toBe(200);
	const [row] = await rowsOf(client);
	expect(row).toMatchObject({ status: "pending", event: "job.cancelled", triesLeft: 6 });
	expect(row?.dueAt).not.toBeNull();
});

test("deleting a job deletes its deliveries, and no other's", async () => {
	const client = await createClient();
	const { job } = await notifying(client);
	const kept = await client.submit({ input_url, notification_config: [hook] });
	expect((await client.call("DELETE", `/v1/batch/jobs/${job.jobId}`)).status).toBe(204);
	expect((await rowsOf(client)).map(({ jobId }) => jobId)).toEqual([kept.body.job_id]);
});

describe("the log of deliveries", () => {
	test("says what was sent where and how it went", async () => {
		const client = await createClient();
		const { path, delivery, job } = await notifying(client);
		const attempt = { at: new Date().toISOString(), status_code: 500, error: "no", duration_ms: 3 };
		const attempts = [{ ...attempt, response_snippet: "oh" }];
		await db.update(deliveries).set({ attempts }).where(eq(deliveries.id, delivery.id));
		const { status, body } = await client.call<DeliveryPage>("GET", path);
		expect(status).toBe(200);
		expect(body).toEqual({
			items: [
				{
					...{ id: delivery.id, job_id: job.jobId, url: hook.url, method: "post", contents: ["jobinfo"] },
					...{ event: "job.completed", status: "pending", attempts, delivered_at: null },
					last_attempt: attempts[0],
					...{ next_attempt_at: delivery.dueAt, created_at: delivery.createdAt },
				},
			],
			meta: { page: 1, page_size: 20, total: 1, pages: 1 },
		});
	});

	test("of a job that tells nobody is empty", async () => {
		const client = await createClient();
		const { body } = await client.submit({ input_url });
		const answer = await client.call<DeliveryPage>("GET", `/v1/batch/jobs/${body.job_id}/deliveries`);
		expect(answer).toMatchObject({ status: 200, body: { items: [], meta: { total: 0 } } });
	});
});

describe("redelivery", () => {
	test.each(["delivered", "failed"] as const)("sends what has %s once more, under its id", async (status) => {
		const client = await createClient();
		const { redeliverPath, delivery } = await notifying(client);
		await settle(delivery, status);
		const answers = await Promise.all([1, 2, 3].map(() => client.call<Delivery>("POST", redeliverPath)));
		expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409, 409]);
		const [row] = await rowsOf(client);
		expect(row).toMatchObject({ id: delivery.id, status: "pending", event: "job.completed", triesLeft: 1 });
	});

	test("is refused while the delivery is pending, before the job has ended, and for a delivery of another job", async () => {
		const client = await createClient();
		const pending = await notifying(client);
		expect(await client.call("POST", pending.redeliverPath)).toMatchObject({
			status: 409,
			body: { error: expect.stringMatching(/^Delivery .* is pending: /) },
		});
		const other = await createClient();
		const waiting = await notifying(other, { isEnded: false });
		expect(await other.call("POST", waiting.redeliverPath)).toMatchObject({
			status: 409,
			body: { error: expect.stringMatching(/^Job .* has not ended \(status QUEUED\)/) },
		});
		await settle(pending.delivery, "failed");
		const notFound = { status: 404, body: { error: expect.stringMatching(/^Delivery not found: /) } };
		const crossed = `${waiting.path}/${pending.delivery.id}/redeliver`;
		expect(await other.call("POST", crossed)).toMatchObject(notFound);
		expect(await client.call("POST", `${pending.path}/nobody/redeliver`)).toMatchObject(notFound);
		expect(await rowsOf(client)).toMatchObject([{ status: "failed" }]);
	});
});

describe("the webhook secret", () => {
	const rotate = (client: Client, body?: unknown, headers = {}) =>
		client.call<RotatedWebhookSecret>("POST", "/v1/batch/webhook-secret/rotate", body, headers);
	const get = async (client: Client) =>
		(await client.call<WebhookSecret>("GET", "/v1/batch/webhook-secret")).body;
	const signing = ({ organisation }: Client) => openSigningSecrets(vault, organisation.id);

	test("is made by its first rotation, shown then and never again", async () => {
		const client = await createClient();
		expect(await get(client)).toEqual({ current: null, previous: [] });
		const { status, body } = await rotate(client);
		expect(status).toBe(200);
		expect(body).toEqual({
			id: expect.any(String),
			created_at: expect.any(String),
			secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
			previous: [],
		});
		expect(await signing(client)).toEqual([body.secret]);
		expect(await get(client)).toEqual({
			current: { id: body.id, created_at: body.created_at },
			previous: [],
		});
		const stored = await db
			.select()
			.from(webhookSecrets)
			.where(eq(webhookSecrets.organisationId, client.organisation.id));
		expect(JSON.stringify(stored)).not.toContain(body.secret?.slice(6));
	});

	test("that was replaced signs beside its successor for a day unless told otherwise", async () => {
		const client = await createClient();
		const first = (await rotate(client)).body;
		const second = (await rotate(client, {})).body;
		expect(await signing(client)).toEqual([second.secret, first.secret]);
		const [previous] = second.previous;
		expect(previous?.id).toBe(first.id);
		const hours = (Date.parse(previous?.expires_at ?? "") - Date.now()) / 3_600_000;
		expect(hours).toBeGreaterThan(23.9);
		expect(hours).toBeLessThanOrEqual(24);
		const third = (await rotate(client, { overlap_hours: 0 })).body;
		expect(await signing(client)).toEqual([third.secret]);
		expect(third.previous).toEqual([]);
	});

	test("rotated by several at once ends with each answer's secret signing, five at most", async () => {
		const client = await createClient();
		const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(client)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect((await signing(client)).sort()).toEqual(answers.map(({ body }) => body.secret ?? "").sort());
		for (const _ of [1, 2, 3]) await rotate(client);
		expect(await signing(client)).toHaveLength(5);
	});

	test("is not shown again to a repeated call", async () => {
		const client = await createClient();
		const headers = { "idempotency-key": crypto.randomUUID() };
		const first = await rotate(client, {}, headers);
		const again = await rotate(client, {}, headers);
		expect(again.body).toEqual({ ...first.body, secret: null });
		expect(await signing(client)).toEqual([first.body.secret]);
	});

	test.each([-1, 169, 1.5, "24"])("is not rotated with an overlap of %s hours", async (overlap_hours) => {
		const client = await createClient();
		const answer = await rotate(client, { overlap_hours });
		expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^overlap_hours: /) } });
	});

	test("is each organisation's own", async () => {
		const [one, other] = [await createClient(), await createClient()];
		await rotate(one);
		expect(await get(other)).toEqual({ current: null, previous: [] });
	});
});
