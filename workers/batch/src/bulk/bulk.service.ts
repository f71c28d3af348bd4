import { reportDeletedJob } from "@parley/batch/events/report-jobs";
import { toJobRef } from "@parley/batch/job-predicates";
import { logError } from "@parley/context/log";
import type { BulkResult, BulkSelection } from "@parley/contracts/batch/bulk";
import { JOB_STATUSES, type JobStatus, TERMINAL_STATUSES } from "@parley/contracts/batch/jobs";
import type { WakeJob } from "@parley/contracts/internal/queue-messages";
import { ApiError } from "@parley/contracts/shared/api-error";
import { jobs } from "@parley/db/batch/jobs";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { cancelJob } from "../jobs/jobs.service.ts";
import { type BulkFailure, selectJobs } from "./select-jobs.ts";

const AT_ONCE = 8;
const LIVE = JOB_STATUSES.filter((status) => !(TERMINAL_STATUSES as readonly JobStatus[]).includes(status));

/** Cancels jobs that have not ended. Jobs that were cancelled before count as done. */
export async function cancelJobs(ctx: Ctx, selection: BulkSelection): Promise<BulkResult> {
	const able = selection.job_ids ? [...LIVE, "CANCELLED" as const] : LIVE;
	const { rows, failed, hasMore } = await selectJobs(
		ctx,
		selection,
		able,
		({ jobId, status }) => `Job ${jobId} has already ended with status ${status}`,
	);
	const results = await inGroups(rows, async ({ jobId }) => {
		try {
			await cancelJob(ctx, jobId);
			return undefined;
		} catch (error) {
			return failureOf(ctx, jobId, error);
		}
	});
	const refused = results.filter((failure) => failure !== undefined);
	return toResult(
		rows.map(({ jobId }) => jobId),
		[...failed, ...refused],
		hasMore,
	);
}

/**
 * Deletes jobs that have ended. They are gone for everyone at once; the transcriber removes their files and rows, and the sweeper
 * does if its message is lost.
 */
export async function deleteJobs(ctx: Ctx, selection: BulkSelection): Promise<BulkResult> {
	const { rows, failed, hasMore } = await selectJobs(
		ctx,
		selection,
		TERMINAL_STATUSES,
		({ jobId, status }) =>
			`Job ${jobId} has not ended (status ${status}): cancel it first, or wait until it ends`,
	);
	const now = ctx.clock().toISOString();
	const marked = [];
	for (let from = 0; from < rows.length; from += MARKED_AT_ONCE) {
		const ids = rows.slice(from, from + MARKED_AT_ONCE).map(({ id }) => id);
		marked.push(
			...(await ctx.db
				.update(jobs)
				.set({ deletedAt: now, wakeAt: now })
				.where(
					and(
						eq(jobs.organisationId, ctx.actor.organisation.id),
						inArray(jobs.id, ids),
						inArray(jobs.status, TERMINAL_STATUSES),
						isNull(jobs.deletedAt),
					),
				)
				.returning()),
		);
	}
	for (const row of marked) reportDeletedJob(ctx, row);
	const messages = marked.map((row) => ({ body: { ...toJobRef(row), type: "WakeJob" } satisfies WakeJob }));
	if (messages.length > 0) ctx.defer(ctx.env.TRANSCRIPTION.sendBatch(messages));
	// Another call that was faster has deleted the others: they are gone as asked.
	return toResult(
		rows.map(({ jobId }) => jobId),
		failed,
		hasMore,
	);
}

/** Bound values of one statement are limited. */
const MARKED_AT_ONCE = 90;

function toResult(ids: string[], failed: BulkFailure[], hasMore: boolean): BulkResult {
	const without = new Set(failed.map(({ job_id }) => job_id));
	return { done: ids.filter((id) => !without.has(id)), failed, has_more: hasMore };
}

/** Returns the reason for which nothing was done to a job. A fault of ours is logged, and does not stop the others. */
export function failureOf(ctx: Ctx, jobId: string, error: unknown): BulkFailure {
	if (error instanceof ApiError) return { job_id: jobId, error: error.message };
	logError("BULK_FAILED", error, { request_id: ctx.requestId, job_id: jobId });
	return { job_id: jobId, error: "Internal server error" };
}

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let from = 0; from < items.length; from += AT_ONCE)
		results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
	return results;
}
