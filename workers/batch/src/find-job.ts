import { isTerminal } from "@parley/batch/job-predicates";
import { logError } from "@parley/context/log";
import type { JobFeedMessage } from "@parley/contracts/batch/events";
import { JOB_ID, JOB_ID_MESSAGE } from "@parley/contracts/batch/job-submission";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Ctx } from "./context.ts";
import { listen } from "./events/listen.ts";

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

/**
 * Returns the job once it has ended, or as it is after `seconds`. The organisation's feed says when; a look now and then makes
 * up for a report that was lost.
 */
export async function awaitJob(ctx: Ctx, jobId: string, seconds: number): Promise<JobRow> {
	const row = await readJob(ctx, jobId);
	if (isTerminal(row.status) || seconds === 0) return row;
	const until = ctx.clock().getTime() + seconds * 1000;
	const end = await listenForEnd(ctx, jobId);
	try {
		while (true) {
			const now = await readJob(ctx, jobId);
			const leftMs = until - ctx.clock().getTime();
			if (isTerminal(now.status) || leftMs <= 0) return now;
			await Promise.race([end.reported, ctx.sleep(Math.min(end.isOpen() ? LOOK_EVERY_MS : 1_000, leftMs))]);
		}
	} finally {
		end.close();
	}
}

const LOOK_EVERY_MS = 10_000;

/** Listens for the end of one job. Without a feed nothing is reported. */
async function listenForEnd(ctx: Ctx, jobId: string) {
	const { promise: reported, resolve } = Promise.withResolvers<void>();
	let isOpen = true;
	const receive = ({ event, data }: JobFeedMessage) => {
		if (event === "job_deleted" || (event === "job" && isTerminal(data.status))) resolve();
	};
	const listener = await listen(ctx, { job_id: jobId }, receive).catch((error) => {
		logError("JOB_FEED", error, { request_id: ctx.requestId });
		isOpen = false;
	});
	void listener?.closed.then(() => {
		isOpen = false;
	});
	return { reported, isOpen: () => isOpen, close: () => listener?.close() };
}

export function requireJobId(jobId: string): string {
	if (!JOB_ID.test(jobId)) throw new ApiError("INVALID_REQUEST", JOB_ID_MESSAGE);
	return jobId;
}

export const jobNotFound = (jobId: string): ApiError => notFound("Job", jobId);
