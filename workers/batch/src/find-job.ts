import { isTerminal } from "@parley/batch/job-predicates";
import { JOB_ID, JOB_ID_MESSAGE } from "@parley/contracts/batch/job-submission";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Ctx } from "./context.ts";

/** The job with this id, of the caller's organisation. */
export const isJob = ({ actor }: Ctx, jobId: string): SQL | undefined =>
	and(eq(jobs.organisationId, actor.organisation.id), eq(jobs.jobId, jobId));

/** @throws ApiError RESOURCE_NOT_FOUND, or INVALID_REQUEST when the id could be nobody's. */
export async function readJob(ctx: Ctx, jobId: string): Promise<JobRow> {
	const [row] = await ctx.db
		.select()
		.from(jobs)
		.where(and(isJob(ctx, requireJobId(jobId)), isNull(jobs.deletedAt)));
	if (!row) throw jobNotFound(jobId);
	return row;
}

/** The job once it has ended, or as it is after `seconds`. */
export async function awaitJob(ctx: Ctx, jobId: string, seconds: number): Promise<JobRow> {
	const row = await readJob(ctx, jobId);
	if (isTerminal(row.status) || seconds === 0) return row;
	const until = ctx.clock().getTime() + seconds * 1000;
	for (const pause of pauses()) {
		const left = until - ctx.clock().getTime();
		if (left <= 0) break;
		await ctx.sleep(Math.min(pause, left));
		const [now] = await ctx.db.select({ status: jobs.status }).from(jobs).where(isJob(ctx, jobId));
		if (!now || isTerminal(now.status)) break;
	}
	return readJob(ctx, jobId);
}

export function requireJobId(jobId: string): string {
	if (!JOB_ID.test(jobId)) throw new ApiError("INVALID_REQUEST", JOB_ID_MESSAGE);
	return jobId;
}

export const jobNotFound = (jobId: string): ApiError => notFound("Job", jobId);

/** Short jobs are noticed at once; a wait of 25 s costs about sixteen reads of one row. */
function* pauses(): Generator<number> {
	for (let ms = 100; ; ms = Math.min(ms * 1.6, 2000)) yield ms;
}
