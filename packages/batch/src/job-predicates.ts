import { type JobStatus, TERMINAL_STATUSES } from "@parley/contracts/batch/jobs";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { chunkId, jobChunks, MAX_CHUNKS } from "@parley/db/batch/job-chunks";
import { jobs } from "@parley/db/batch/jobs";
import { and, between, eq, isNull, lte, notInArray, or, type SQL } from "drizzle-orm";
import type { JobKey } from "./object-keys.ts";

/** Returns a job's name as queue messages carry it. */
export const toJobRef = ({ organisationId, jobId }: JobKey): JobRef => ({
	organisation_id: organisationId,
	job_id: jobId,
});

/** Returns the name that a queue message carries as rows have it. */
export const toJobKey = ({ organisation_id, job_id }: JobRef): JobKey => ({
	organisationId: organisation_id,
	jobId: job_id,
});

/** Whether a job with this status has ended. */
export const isTerminal = (status: JobStatus): boolean =>
	(TERMINAL_STATUSES as readonly JobStatus[]).includes(status);

/** Condition for one job. */
export const isJob = ({ organisationId, jobId }: JobKey): SQL | undefined =>
	and(eq(jobs.organisationId, organisationId), eq(jobs.jobId, jobId));

/** Condition for one job that has not ended. */
export const isLive = (job: JobKey): SQL | undefined =>
	and(isJob(job), notInArray(jobs.status, TERMINAL_STATUSES));

/** Condition for jobs whose lease is free or expired. */
export const isUnleased = (now: Date): SQL | undefined =>
	or(isNull(jobs.leaseUntil), lte(jobs.leaseUntil, now.toISOString()));

/** Condition for the chunk rows of a job. */
export const chunksOf = (job: { id: number; organisationId: string }): SQL | undefined =>
	and(
		eq(jobChunks.organisationId, job.organisationId),
		between(jobChunks.id, chunkId(job.id, 0), chunkId(job.id, MAX_CHUNKS - 1)),
	);
