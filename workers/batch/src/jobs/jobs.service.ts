import { releaseDeliveries } from "@parley/batch/deliveries";
import { eraseJob } from "@parley/batch/erase-job";
import { reportDeletedJob, reportJob } from "@parley/batch/events/report-jobs";
import { endOfJob } from "@parley/batch/job-end";
import { workPrefix } from "@parley/batch/object-keys";
import { removeObjects, removeUnusedInput } from "@parley/batch/stored-objects";
import { toJob } from "@parley/batch/to-job";
import {
	type Job,
	type JobPage,
	type JobStatus,
	type ListJobsQuery,
	TERMINAL_STATUSES,
} from "@parley/contracts/batch/jobs";
import { ApiError } from "@parley/contracts/shared/api-error";
import { pageMeta } from "@parley/contracts/shared/common";
import { jobs } from "@parley/db/batch/jobs";
import { and, asc, count, desc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { awaitJob, isJob, jobNotFound, readJob, requireJobId } from "../find-job.ts";
import { deferDeliveries } from "../webhooks/notifications.ts";
import { filtersOf } from "./job-filters.ts";

export async function getJob(ctx: Ctx, jobId: string, waitSeconds: number): Promise<Job> {
	return toJob(await awaitJob(ctx, jobId, waitSeconds));
}

export async function listJobs({ db, actor }: Ctx, query: ListJobsQuery): Promise<JobPage> {
	const matching = and(
		eq(jobs.organisationId, actor.organisation.id),
		isNull(jobs.deletedAt),
		...filtersOf({ ...query, status: statusesOf(query) }),
	);
	const sortBy = { submitted_at: jobs.submittedAt, status: jobs.status, model_code: jobs.modelCode };
	const order = query.sort_order === "asc" ? asc : desc;
	const [rows, [counted]] = await db.batch([
		db
			.select()
			.from(jobs)
			.where(matching)
			.orderBy(order(sortBy[query.sort_by]), order(jobs.id))
			.limit(query.page_size)
			.offset((query.page - 1) * query.page_size),
		db.select({ total: count() }).from(jobs).where(matching),
	]);
	return { items: rows.map(toJob), meta: pageMeta(query.page, query.page_size, counted?.total ?? 0) };
}

const statusesOf = ({ status }: ListJobsQuery): JobStatus[] | undefined =>
	status?.flatMap((list) => list.split(",")) as JobStatus[] | undefined;

/** Cancelling again is the same as once. @throws ApiError JOB_CONFLICT when the job ended otherwise. */
export async function cancelJob(ctx: Ctx, jobId: string): Promise<Job> {
	const { db, env, clock, defer } = ctx;
	const now = clock();
	const [[cancelled], due] = await db.batch([
		db
			.update(jobs)
			.set({ status: "CANCELLED", ...endOfJob(now, Number(env.RETENTION_DAYS)) })
			.where(and(isJob(ctx, requireJobId(jobId)), notInArray(jobs.status, TERMINAL_STATUSES)))
			.returning(),
		releaseDeliveries(db, { organisationId: ctx.actor.organisation.id, jobId }, "CANCELLED", now),
	]);
	deferDeliveries(ctx, due);
	const row = cancelled ?? (await readJob(ctx, jobId));
	if (row.status !== "CANCELLED")
		throw new ApiError("JOB_CONFLICT", `Job ${jobId} has already ended with status ${row.status}`);
	if (cancelled) {
		reportJob(ctx, cancelled);
		defer(removeObjects(env.MEDIA, workPrefix(row)));
		defer(removeUnusedInput(env.MEDIA, row));
	}
	return toJob(row);
}

/**
 * Removes a job and its files. The mark comes first: from then on the job is gone for everyone, and whoever was interrupted
 * here, the sweeper or a repeated call, completes it. Of several calls at once one removes it.
 * @throws ApiError RESOURCE_NOT_FOUND, also while another call removes it; or JOB_CONFLICT while it has not ended.
 */
export async function deleteJob(ctx: Ctx, jobId: string): Promise<void> {
	const { db, env, clock } = ctx;
	const now = clock();
	const [marked] = await db
		.update(jobs)
		.set({ deletedAt: sql`coalesce(${jobs.deletedAt}, ${now.toISOString()})`, wakeAt: now.toISOString() })
		.where(and(isJob(ctx, requireJobId(jobId)), inArray(jobs.status, TERMINAL_STATUSES)))
		.returning();
	if (!marked) {
		const { status } = await readJob(ctx, jobId);
		throw new ApiError(
			"JOB_CONFLICT",
			`Job ${jobId} has not ended (status ${status}): cancel it first, or wait until it ends`,
		);
	}
	reportDeletedJob(ctx, marked);
	if (!(await eraseJob(db, env.MEDIA, marked, now))) throw jobNotFound(jobId);
}
