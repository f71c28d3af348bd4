import { env } from "cloudflare:workers";
import { eraseJob } from "@parley/batch/erase-job";
import type { UsageReport } from "@parley/contracts/platform/usage";
import { toolRuns } from "@parley/db/agents/tool-runs";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { addUsage } from "@parley/db/platform/usage";
import { issueKey } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const db = openDatabase(env.DB);
const today = new Date().toISOString().slice(0, 10);
const report = async (call: Awaited<ReturnType<typeof createClient>>["call"], query = "") =>
	(await call<UsageReport>("GET", `/v1/usage${query}`)).body;

const addJob = (organisationId: string, apiKeyId: string, submittedAt: string, status: "DONE" | "FAILED") =>
	db.insert(jobs).values({
		organisationId,
		apiKeyId,
		jobId: newId(),
		modelCode: "parley/local",
		status,
		jobConfig: {} as never,
		inputMetadata: { duration_seconds: 60 } as never,
		deadlineAt: submittedAt,
		submittedAt,
		updatedAt: submittedAt,
	});

const addRun = (organisationId: string, actor: string) =>
	db.insert(toolRuns).values({
		organisationId,
		id: newId(),
		toolId: newId(),
		status: "succeeded",
		validation: "na",
		latencyMs: 1,
		contentHash: "h",
		sampleInput: {},
		logs: [],
		actor,
		createdAt: new Date().toISOString(),
	});

test("jobs, runs, audio and text of today are in the report, of one's own organisation alone", async () => {
	const { id, call } = await createClient();
	const other = await createClient();
	const { id: keyId } = await issueKey(env.DB, id);
	const now = new Date();
	await addJob(id, keyId, now.toISOString(), "DONE");
	await addJob(id, keyId, now.toISOString(), "FAILED");
	await addRun(id, `api_key:${keyId}`);
	await addRun(id, `user:${newId()}`);
	const of = { organisationId: id, apiKeyId: keyId, modelCode: "acme/voice:1", at: now };
	await addUsage(db, of, { characters: 5, audioSeconds: 1.5 });
	await addUsage(db, of, { characters: 5 });

	expect(await report(call)).toMatchObject({
		until: today,
		group_by: "day",
		items: [{ day: today, jobs: 2, runs: 2, audio_seconds: 61.5, characters: 10 }],
		total: { jobs: 2, runs: 2 },
	});
	expect((await report(call, "?group_by=model")).items).toMatchObject([
		{ model_code: null, runs: 2 },
		{ model_code: "acme/voice:1", characters: 10 },
		{ model_code: "parley/local", jobs: 2, audio_seconds: 60 },
	]);
	expect((await report(call, "?group_by=key")).items).toMatchObject([
		{ api_key_id: null, runs: 1 },
		{ api_key_id: keyId, api_key_label: "test", jobs: 2, runs: 1 },
	]);
	expect((await report(other.call)).total).toMatchObject({ jobs: 0, runs: 0 });
});

test("audio costs what its model costs, and use without a price is not counted as free", async () => {
	const { id, call } = await createClient();
	const { id: keyId } = await issueKey(env.DB, id);
	const of = { organisationId: id, apiKeyId: keyId, at: new Date() };
	await addUsage(db, { ...of, modelCode: "acme/voice:1" }, { characters: 60 });
	expect((await report(call)).total.cost).toBeNull();
	await addUsage(db, { ...of, modelCode: "acme/whisper:large" }, { audioSeconds: 100.1 });
	expect(await report(call, "?group_by=model")).toMatchObject({
		items: [
			{ model_code: "acme/voice:1", cost: null },
			{ model_code: "acme/whisper:large", cost: 0.2002 },
		],
		total: { audio_seconds: 100.1, cost: 0.2002 },
	});
});

test("a deleted job stays in the report, once", async () => {
	const { id, call } = await createClient();
	const keyId = newId();
	const now = new Date().toISOString();
	await addJob(id, keyId, now, "DONE");
	await addJob(id, keyId, now, "FAILED");
	await db.update(jobs).set({ deletedAt: now }).where(eq(jobs.organisationId, id));
	for (const row of await db.select().from(jobs).where(eq(jobs.organisationId, id))) {
		await eraseJob(db, env.MEDIA, row, new Date());
		await eraseJob(db, env.MEDIA, row, new Date());
	}
	expect(await db.select().from(jobs).where(eq(jobs.organisationId, id))).toEqual([]);
	expect((await report(call, "?group_by=model")).items).toMatchObject([
		{ model_code: "parley/local", jobs: 2, audio_seconds: 60 },
	]);
});

test("a range holds its first and last day whole", async () => {
	const { id, call } = await createClient();
	for (const at of ["2026-03-01T00:00:00.000Z", "2026-03-02T23:59:59.999Z", "2026-03-03T00:00:00.000Z"])
		await addJob(id, newId(), at, "FAILED");
	const { items } = await report(call, "?since=2026-03-01&until=2026-03-02");
	expect(items.map(({ day, jobs: submitted }) => [day, submitted])).toEqual([
		["2026-03-01", 1],
		["2026-03-02", 1],
	]);
});

test.each([
	"?since=2026-03-02&until=2026-03-01",
	"?since=2024-01-01&until=2026-01-01",
	"?since=yesterday",
	"?since=2026-02-30",
	"?group_by=hour",
	"?from=2026-01-01",
])("%s is 422", async (query) => {
	const { call } = await createClient();
	expect(await call("GET", `/v1/usage${query}`)).toMatchObject({ status: 422 });
});

test("requests are counted behind the answers", { timeout: 15_000 }, async () => {
	const { call } = await createClient();
	for (let sent = 0; sent < 3; sent++) await call("GET", "/v1/me");
	const counted = async () => (await report(call)).total.requests;
	await expect.poll(counted, { timeout: 12_000, interval: 500 }).toBeGreaterThanOrEqual(3);
});
