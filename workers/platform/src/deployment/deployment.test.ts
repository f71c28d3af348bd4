import { env } from "cloudflare:workers";
import type { Deployment } from "@parley/contracts/platform/deployment";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { statusOf } from "./engine-status.ts";

const db = openDatabase(env.DB);
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

function addJob(organisationId: string, endedAt: string, errorCode?: string) {
	return db.insert(jobs).values({
		organisationId,
		apiKeyId: newId(),
		jobId: newId(),
		modelCode: "parley/local",
		status: errorCode ? "FAILED" : "DONE",
		...(errorCode && { error: { code: errorCode, message: "m", retryable: true } }),
		jobConfig: {} as never,
		inputMetadata: {} as never,
		deadlineAt: endedAt,
		submittedAt: endedAt,
		completedAt: endedAt,
		updatedAt: endedAt,
	});
}

test("every key reads regions, retention and limits", async () => {
	const { call, batchKey } = await createClient();
	const { status, body } = await call<Deployment>("GET", "/v1/deployment", undefined, { key: batchKey });
	expect(status).toBe(200);
	expect(body).toMatchObject({
		regions: [{ code: "us-east", world_part: "na", is_home: true, is_current: true }],
		retention: { job_files_days: 7, job_deadline_hours: 24 },
		limits: { reads_per_minute: 600_000, max_input_bytes: 5 * 1024 ** 3 },
	});
});

test("an engine is judged by the organisation's own jobs of a day, and not by broken recordings", async () => {
	const { id, call } = await createClient();
	const other = await createClient();
	const local = async () =>
		(await call<Deployment>("GET", "/v1/deployment")).body.models.find(({ code }) => code === "parley/local");
	await addJob(other.id, ago(1), "engine_unavailable");
	await addJob(id, ago(30), "engine_unavailable");
	expect(await local()).toMatchObject({ status: "unknown", jobs_done: 0, jobs_failed: 0 });
	await addJob(id, ago(5));
	await addJob(id, ago(4), "input_broken");
	expect(await local()).toMatchObject({ status: "ok", jobs_done: 1, jobs_failed: 0, last_failure_at: null });
	const failedAt = ago(3);
	await addJob(id, failedAt, "engine_timeout");
	expect(await local()).toMatchObject({ status: "failing", jobs_failed: 1, last_failure_at: failedAt });
	await addJob(id, ago(2));
	expect(await local()).toMatchObject({ status: "degraded", jobs_done: 2, jobs_failed: 1 });
});

test("an engine without jobs is unknown", () => {
	expect(statusOf(undefined)).toBe("unknown");
});
