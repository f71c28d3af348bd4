import { env } from "cloudflare:workers";
import { eraseJob } from "@parley/batch/erase-job";
import { endOfJob } from "@parley/batch/job-end";
import { inputKey, outputKey, workPrefix } from "@parley/batch/object-keys";
import type { Job, JobPage } from "@parley/contracts/batch/jobs";
import { chunkId, jobChunks } from "@parley/db/batch/job-chunks";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { base64, createClient, insertJob, keysOf } from "../../test/client.ts";

const db = openDatabase(env.DB);
const ended = endOfJob(new Date(), 7);

/** A job that is done, with every object that such a job has. */
async function insertDone(organisationId: string) {
	const row = await insertJob(organisationId, { status: "DONE", ...ended });
	const input = inputKey(row, "a.wav");
	await db.update(jobs).set({ inputKey: input }).where(eq(jobs.id, row.id));
	await db.insert(jobChunks).values({ id: chunkId(row.id, 0), organisationId, doneAt: ended.completedAt });
	for (const key of [input, outputKey(row, "json"), `${workPrefix(row)}00000.json`])
		await env.MEDIA.put(key, "{}");
	return { ...row, inputKey: input };
}

const setStatus = (row: { id: number }, status: Job["status"]) =>
	db.update(jobs).set({ status }).where(eq(jobs.id, row.id));

describe("reading a job", () => {
	test("answers its whole record", async () => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id, {
			status: "DECODING",
			chunkCount: 3,
			chunksDone: 1,
			error: null,
		});
		const { status, body } = await call<Job>("GET", `/v1/batch/jobs/${row.jobId}`);
		expect(status).toBe(200);
		expect(body).toEqual({
			job_id: row.jobId,
			organisation_id: organisation.id,
			api_key_id: row.apiKeyId,
			submitted_by: `api_key:${row.apiKeyId}`,
			model_code: "test/whisper",
			status: "DECODING",
			progress: 0.333,
			job_config: row.jobConfig,
			metadata: null,
			tracking: null,
			input_metadata: { ...row.inputMetadata, sha256: null },
			output_metadata: null,
			error: null,
			error_message: null,
			attempts: 0,
			last_error: null,
			next_attempt_at: null,
			submitted_at: row.submittedAt,
			started_at: null,
			completed_at: null,
			updated_at: row.updatedAt,
			expires_at: null,
			files_removed_at: null,
		});
	});

	test("tells why a job failed, twice", async () => {
		const { organisation, call } = await createClient();
		const error = { code: "not_audio", message: "No audio in it", retryable: false };
		const row = await insertJob(organisation.id, { status: "FAILED", ...ended, error });
		const { body } = await call<Job>("GET", `/v1/batch/jobs/${row.jobId}`);
		expect(body).toMatchObject({ status: "FAILED", error, error_message: "No audio in it" });
	});

	test("with wait is answered when the job ends", async () => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id);
		const waiting = call<Job>("GET", `/v1/batch/jobs/${row.jobId}?wait=20`);
		await scheduler.wait(150);
		await setStatus(row, "DONE");
		expect((await waiting).body.status).toBe("DONE");
	});

	test("with wait is answered as it is when the time is over", async () => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id, { status: "DECODING" });
		expect((await call<Job>("GET", `/v1/batch/jobs/${row.jobId}?wait=1`)).body.status).toBe("DECODING");
	});

	test.each(["wait=26", "wait=-1", "wait=x", "wait=1&wait=2", "more=1"])("%s is refused", async (query) => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id);
		const { status, body } = await call("GET", `/v1/batch/jobs/${row.jobId}?${query}`);
		expect(status).toBe(400);
		expect(body.error).toMatch(/^query\.(wait|more): /);
	});
});

describe("a list of jobs", () => {
	const at = (hour: number) => `2026-11-01T0${hour}:00:00.000Z`;

	async function listed() {
		const { organisation, call } = await createClient();
		const tracking = (reference: string, ...tags: string[]) => ({ reference, tags });
		await insertJob(organisation.id, {
			jobId: "a",
			submittedAt: at(1),
			status: "DONE",
			tracking: tracking("r1", "x", "y"),
		});
		await insertJob(organisation.id, {
			jobId: "b",
			submittedAt: at(2),
			status: "FAILED",
			tracking: tracking("r2", "y"),
		});
		await insertJob(organisation.id, { jobId: "c", submittedAt: at(3), modelCode: "zz/other" });
		await insertJob(organisation.id, { jobId: "gone", submittedAt: at(4), status: "DONE", deletedAt: at(5) });
		return async (query: string) => {
			const { status, body } = await call<JobPage>("GET", `/v1/batch/jobs${query}`);
			expect(status, JSON.stringify(body)).toBe(200);
			return { ids: body.items.map(({ job_id }) => job_id).join(""), meta: body.meta };
		};
	}

	test("comes newest first, in pages that count all", async () => {
		const list = await listed();
		expect(await list("")).toEqual({ ids: "cba", meta: { page: 1, page_size: 20, total: 3, pages: 1 } });
		expect(await list("?page=2&page_size=2")).toEqual({
			ids: "a",
			meta: { page: 2, page_size: 2, total: 3, pages: 2 },
		});
		expect(await list("?page=9")).toMatchObject({ ids: "", meta: { total: 3 } });
	});

	test.each([
		["?status=DONE", "a"],
		["?status=DONE&status=QUEUED", "ca"],
		["?status=DONE,FAILED", "ba"],
		["?model_code=zz/other", "c"],
		["?tag=y", "ba"],
		["?tag=x", "a"],
		["?tag=z", ""],
		["?reference=r2", "b"],
		[`?submitted_after=${at(2)}`, "cb"],
		[`?submitted_before=${at(2)}`, "ba"],
		["?submitted_after=2026-11-01T03:30:00%2B01:00", "c"],
		["?tag=y&status=FAILED", "b"],
		["?sort_order=asc", "abc"],
		["?sort_by=status&sort_order=asc", "abc"],
		["?sort_by=model_code&sort_order=desc", "cba"],
	])("filters and sorts: %s", async (query, ids) => {
		expect((await (await listed())(query)).ids).toBe(ids);
	});

	test.each(["page=0", "page_size=101", "status=READY", "sort_by=id", "submitted_after=monday", "limit=1"])(
		"%s is refused",
		async (query) => {
			const { call } = await createClient();
			const { status, body } = await call("GET", `/v1/batch/jobs?${query}`);
			expect(status).toBe(400);
			expect(body.error).toMatch(/^query\./);
		},
	);
});

describe("cancelling", () => {
	test.each(["QUEUED", "IN_PROGRESS", "DECODING", "POST_PROCESSING"] as const)(
		"ends a job that is %s, and again is the same as once",
		async (status) => {
			const { organisation, call } = await createClient();
			const row = await insertJob(organisation.id, { status });
			await env.MEDIA.put(`${workPrefix(row)}00000.json`, "{}");
			const path = `/v1/batch/jobs/${row.jobId}/cancel`;
			const first = await call<Job>("POST", path);
			expect(first).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
			expect(first.body.completed_at).toEqual(expect.any(String));
			expect(await call("POST", path)).toEqual({ ...first, headers: expect.anything() });
			await expect.poll(() => keysOf(organisation.id)).toEqual([]);
		},
	);

	test("removes what was fetched of a URL, and keeps an upload", async () => {
		const { organisation, call } = await createClient();
		const fetching = await insertJob(organisation.id, { status: "IN_PROGRESS" });
		const uploaded = await insertJob(organisation.id, { jobId: "uploaded" });
		const [fetched, upload] = [inputKey(fetching, "a.wav"), inputKey(uploaded, "a.wav")];
		await db.update(jobs).set({ inputKey: upload }).where(eq(jobs.id, uploaded.id));
		for (const key of [fetched, upload]) await env.MEDIA.put(key, "RIFF");
		for (const { jobId } of [fetching, uploaded]) await call("POST", `/v1/batch/jobs/${jobId}/cancel`);
		await expect.poll(() => keysOf(organisation.id)).toEqual([upload]);
	});

	test.each(["DONE", "FAILED"] as const)("a job that is %s is refused", async (status) => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id, { status, ...ended });
		expect(await call("POST", `/v1/batch/jobs/${row.jobId}/cancel`)).toMatchObject({
			status: 409,
			body: { error: `Job ${row.jobId} has already ended with status ${status}` },
		});
	});
});

describe("deleting", () => {
	test("removes a job that has ended, its chunks and every object", async () => {
		const { organisation, call } = await createClient();
		const row = await insertDone(organisation.id);
		const path = `/v1/batch/jobs/${row.jobId}`;
		expect((await call("DELETE", path)).status).toBe(204);
		expect((await call("GET", path)).status).toBe(404);
		expect((await call("DELETE", path)).status).toBe(404);
		expect(await keysOf(organisation.id)).toEqual([]);
		expect(await db.select().from(jobs).where(eq(jobs.id, row.id))).toEqual([]);
		expect(
			await db
				.select()
				.from(jobChunks)
				.where(eq(jobChunks.id, chunkId(row.id, 0))),
		).toEqual([]);
	});

	test.each(["FAILED", "CANCELLED"] as const)("works on a job that is %s", async (status) => {
		const { organisation, call } = await createClient();
		const row = await insertJob(organisation.id, { status, ...ended });
		expect((await call("DELETE", `/v1/batch/jobs/${row.jobId}`)).status).toBe(204);
	});

	test.each(["QUEUED", "IN_PROGRESS", "DECODING", "POST_PROCESSING"] as const)(
		"a job that is %s is refused and keeps its files",
		async (status) => {
			const { organisation, call } = await createClient();
			const row = await insertDone(organisation.id);
			await setStatus(row, status);
			const before = await keysOf(organisation.id);
			expect((await call("DELETE", `/v1/batch/jobs/${row.jobId}`)).status).toBe(409);
			expect(await keysOf(organisation.id)).toEqual(before);
		},
	);

	test("that was interrupted is hidden from reads and completed by the next call", async () => {
		const { organisation, call } = await createClient();
		const row = await insertDone(organisation.id);
		const path = `/v1/batch/jobs/${row.jobId}`;
		const now = new Date().toISOString();
		await db.update(jobs).set({ deletedAt: now, wakeAt: now }).where(eq(jobs.id, row.id));
		const broken = { ...env.MEDIA, list: () => Promise.reject(new Error("power cut")) };
		await expect(eraseJob(db, broken as unknown as R2Bucket, row, new Date())).rejects.toThrow("power cut");
		expect((await call("GET", path)).status).toBe(404);
		expect((await call("DELETE", path)).status).toBe(204);
		expect(await keysOf(organisation.id)).toEqual([]);
		expect(
			await db
				.select()
				.from(jobs)
				.where(and(eq(jobs.id, row.id))),
		).toEqual([]);
	});

	test("leaves alone a job that takes its id over meanwhile", async () => {
		const { organisation, call, submit } = await createClient();
		const row = await insertDone(organisation.id);
		const now = new Date();
		await db.update(jobs).set({ deletedAt: now.toISOString() }).where(eq(jobs.id, row.id));
		const again = () =>
			submit({ job_id: row.jobId, input_base64: base64("RIFF"), input_filename: "again.wav" });
		const answers: number[] = [];
		const interrupted = {
			list: async (options: R2ListOptions) => {
				if (answers.length === 0)
					for (const other of [() => call("DELETE", `/v1/batch/jobs/${row.jobId}`), again])
						answers.push((await other()).status);
				return env.MEDIA.list(options);
			},
			delete: (keys: string[]) => env.MEDIA.delete(keys),
		};
		await eraseJob(db, interrupted as unknown as R2Bucket, row, now);
		expect(answers).toEqual([404, 409]);
		expect((await again()).status).toBe(202);
		expect(await keysOf(organisation.id)).toEqual([expect.stringMatching(/again\.wav$/)]);
	});

	test("touches no other job, also not one whose id begins alike", async () => {
		const { organisation, call } = await createClient();
		const row = await insertDone(organisation.id);
		const longer = `inputs/${organisation.id}/${row.jobId}x/a.wav`;
		await env.MEDIA.put(longer, "RIFF");
		await call("DELETE", `/v1/batch/jobs/${row.jobId}`);
		expect(await keysOf(organisation.id)).toEqual([longer]);
	});
});
