import { type BulkFilter, MAX_BULK_JOBS } from "@parley/contracts/batch/bulk";
import { JOB_ID } from "@parley/contracts/batch/job-submission";
import { JOB_STATUSES, type JobStatus } from "@parley/contracts/batch/jobs";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { filtersOf } from "../jobs/job-filters.ts";

type Selection = { job_ids?: string[] | undefined; filter?: BulkFilter | undefined };
export type BulkFailure = { job_id: string; error: string };
export type Selected = { rows: JobRow[]; failed: BulkFailure[]; hasMore: boolean };

/** D1 binds at most a hundred values to a statement. */
const IDS_PER_STATEMENT = 90;

/**
 * Reads the jobs that a call works on. Of named jobs, those that it cannot work on are failures; a filter leaves them out.
 * @param able statuses that the call can work on
 * @param whyNot the reason for a named job in another status
 */
export async function selectJobs(
	ctx: Ctx,
	{ job_ids, filter = {} }: Selection,
	able: readonly JobStatus[],
	whyNot: (row: JobRow) => string,
): Promise<Selected> {
	if (job_ids) return selectByIds(ctx, [...new Set(job_ids)], able, whyNot);
	const wanted = (filter.status ?? JOB_STATUSES).filter((status) => able.includes(status));
	const rows = await ctx.db
		.select()
		.from(jobs)
		.where(and(isOwn(ctx), ...filtersOf({ ...filter, status: wanted })))
		.orderBy(asc(jobs.id))
		.limit(MAX_BULK_JOBS + 1);
	return { rows: rows.slice(0, MAX_BULK_JOBS), failed: [], hasMore: rows.length > MAX_BULK_JOBS };
}

async function selectByIds(
	ctx: Ctx,
	ids: string[],
	able: readonly JobStatus[],
	whyNot: (row: JobRow) => string,
): Promise<Selected> {
	const found = new Map<string, JobRow>();
	for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
		const some = ids.slice(from, from + IDS_PER_STATEMENT).filter((id) => JOB_ID.test(id));
		const rows = await ctx.db
			.select()
			.from(jobs)
			.where(and(isOwn(ctx), inArray(jobs.jobId, some)));
		for (const row of rows) found.set(row.jobId, row);
	}
	const rows = ids.flatMap((id) => found.get(id) ?? []);
	const reasonFor = (id: string): string | undefined => {
		const row = found.get(id);
		if (!row) return `Job not found: ${id}`;
		return able.includes(row.status) ? undefined : whyNot(row);
	};
	return {
		rows: rows.filter(({ status }) => able.includes(status)),
		failed: ids.flatMap((id) => {
			const error = reasonFor(id);
			return error === undefined ? [] : [{ job_id: id, error }];
		}),
		hasMore: false,
	};
}

const isOwn = ({ actor }: Ctx) => and(eq(jobs.organisationId, actor.organisation.id), isNull(jobs.deletedAt));
