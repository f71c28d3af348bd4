import { env } from "cloudflare:workers";
import { inputKey, outputKey } from "@parley/batch/object-keys";
import type { BulkLinks, BulkResult } from "@parley/contracts/batch/bulk";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient, insertJob } from "../../test/client.ts";
import { insertTranscript, spoken } from "../../test/transcripts.ts";

const bulk = <T = BulkResult>(client: Client, verb: string, body: unknown) =>
	client.call<T & { error?: string }>("POST", `/v1/batch/bulk/${verb}`, body);

const insert = async (client: Client, row: Parameters<typeof insertJob>[1]) =>
	(await insertJob(client.organisation.id, row)).jobId;

const statusesOf = async (client: Client) => {
	const rows = await openDatabase(env.DB)
		.select()
		.from(jobs)
		.where(eq(jobs.organisationId, client.organisation.id));
	return Object.fromEntries(
		rows.map(({ jobId, status, deletedAt }) => [jobId, deletedAt ? "deleted" : status]),
	);
};

test("named jobs are cancelled, and those that cannot be are named with the reason", async () => {
	const [client, stranger] = [await createClient(), await createClient()];
	const [running, cancelled, done] = [
		await insert(client, { status: "DECODING" }),
		await insert(client, { status: "CANCELLED" }),
		await insert(client, { status: "DONE" }),
	];
	const foreign = await insert(stranger, { status: "QUEUED" });
	const job_ids = [running, running, cancelled, done, foreign, "no/id"];
	const { status, body } = await bulk(client, "cancel", { job_ids });
	expect(status).toBe(200);
	expect(body).toEqual({
		done: [running, cancelled],
		failed: [
			{ job_id: done, error: `Job ${done} has already ended with status DONE` },
			{ job_id: foreign, error: `Job not found: ${foreign}` },
			{ job_id: "no/id", error: "Job not found: no/id" },
		],
		has_more: false,
	});
	expect(await statusesOf(client)).toMatchObject({ [running]: "CANCELLED", [done]: "DONE" });
	expect(await statusesOf(stranger)).toEqual({ [foreign]: "QUEUED" });
});

test("a filter selects at most a hundred jobs, the oldest first, and says when there are more", async () => {
	const client = await createClient();
	const tracking = { tags: ["old"] };
	const ids: string[] = [];
	for (let job = 0; job < 103; job++) ids.push(await insert(client, { status: "QUEUED", tracking }));
	await insert(client, { status: "QUEUED" });
	const first = await bulk(client, "cancel", { filter: { tag: "old" } });
	expect(first.body).toEqual({ done: ids.slice(0, 100), failed: [], has_more: true });
	const second = await bulk(client, "cancel", { filter: { tag: "old" } });
	expect(second.body).toEqual({ done: ids.slice(100), failed: [], has_more: false });
	expect((await bulk(client, "cancel", { filter: { tag: "old" } })).body.done).toEqual([]);
}, 60_000);

test("deleted jobs are gone at once, and their removal is sent to the transcriber", async () => {
	const client = await createClient();
	const [done, failed, running] = [
		await insert(client, { status: "DONE" }),
		await insert(client, { status: "FAILED" }),
		await insert(client, { status: "QUEUED" }),
	];
	const { body } = await bulk(client, "delete", { job_ids: [done, failed, running, done] });
	expect(body.done).toEqual([done, failed]);
	expect(body.failed).toEqual([{ job_id: running, error: expect.stringContaining("has not ended") }]);
	expect((await client.call("GET", `/v1/batch/jobs/${done}`)).status).toBe(404);
	expect(await statusesOf(client)).toEqual({ [done]: "deleted", [failed]: "deleted", [running]: "QUEUED" });
	const again = await bulk(client, "delete", { job_ids: [done] });
	expect(again.body).toMatchObject({ done: [], failed: [{ job_id: done }] });
	const byFilter = await bulk(client, "delete", { filter: { status: ["FAILED", "QUEUED"] } });
	expect(byFilter.body).toEqual({ done: [], failed: [], has_more: false });
});

describe("transcripts", () => {
	async function createTranscripts() {
		const client = await createClient();
		const owner = { organisationId: client.organisation.id };
		const key = (jobId: string) => ({ jobId, inputKey: inputKey({ ...owner, jobId }, "talk.mp3") });
		const [first, edited] = [
			await insertTranscript(client, spoken("one two."), key(`a${crypto.randomUUID().slice(0, 8)}`)),
			await insertTranscript(client, spoken("three four."), key(`b${crypto.randomUUID().slice(0, 8)}`)),
		];
		for (const job of [first, edited]) await env.MEDIA.put(outputKey(job, "txt"), "engine's own");
		const body = { base_revision: 0, edits: [{ start: 0, end: 1, text: "drei" }] };
		await client.call("POST", `/v1/batch/jobs/${edited.jobId}/revisions`, body);
		const failed = await insert(client, {
			status: "FAILED",
			error: { code: "x", message: "No.", retryable: false },
		});
		return { client, first, edited, failed, job_ids: [first.jobId, edited.jobId, failed] };
	}

	test("are downloaded by links, edited ones as they were edited", async () => {
		const { client, first, edited, failed, job_ids } = await createTranscripts();
		const ask = (rest: object) => bulk<BulkLinks>(client, "download", { job_ids, as: "links", ...rest });
		const { status, body } = await ask({});
		expect(status).toBe(200);
		expect(body.items.map(({ job_id, filename }) => [job_id, filename])).toEqual([
			[first.jobId, "talk.txt"],
			[edited.jobId, "talk-2.txt"],
		]);
		expect(body.failed).toEqual([{ job_id: failed, error: expect.stringContaining("it failed. No.") }]);
		const path = new URL(body.items[1]?.download_url ?? "").pathname.split("/parley-media/")[1] ?? "";
		expect(await (await env.MEDIA.get(decodeURIComponent(path)))?.text()).toContain("drei four.");
		const engine = await ask({ revision: "engine" });
		expect(engine.body.items[1]?.download_url).toContain(outputKey(edited, "txt"));
		expect((await ask({ format: "vtt", revision: "engine" })).body.failed).toHaveLength(3);
	});

	test("are downloaded as an archive, with the failures in it", async () => {
		const { client, job_ids } = await createTranscripts();
		const { status, headers, body } = await bulk<string>(client, "download", { job_ids });
		expect([status, headers.get("content-type"), headers.get("x-has-more")]).toEqual([
			200,
			"application/zip",
			"false",
		]);
		expect(headers.get("content-disposition")).toBe('attachment; filename="transcripts.zip"');
		const archive = String(body);
		expect(archive.startsWith("PK")).toBe(true);
		for (const name of ["talk.txt", "talk-2.txt", "failed.json"]) expect(archive).toContain(name);
	});

	test("of another organisation are not found", async () => {
		const { job_ids } = await createTranscripts();
		const stranger = await createClient();
		const { body } = await bulk<BulkLinks>(stranger, "download", { job_ids, as: "links" });
		expect(body.items).toEqual([]);
		expect(body.failed).toHaveLength(3);
	});
});

test.each([
	["neither ids nor a filter", {}],
	["both", { job_ids: ["a"], filter: { tag: "t" } }],
	["no id", { job_ids: [] }],
	["too many ids", { job_ids: Array.from({ length: 101 }, (_, at) => `a${at}`) }],
	["an empty filter", { filter: {} }],
	["an unknown filter", { filter: { organisation: "x" } }],
	["an unknown status", { filter: { status: ["GONE"] } }],
])("a call with %s is rejected", async (_what, body) => {
	const client = await createClient();
	for (const verb of ["cancel", "delete", "download"])
		expect((await bulk(client, verb, body)).status, verb).toBe(400);
});
