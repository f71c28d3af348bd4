import { isJob, isUnleased } from "@parley/batch/job-predicates";
import { leaseEnd } from "@parley/context/lease";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, or, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";

export const isFinishing = (row: JobRow): SQL | undefined =>
	and(isJob(row), eq(jobs.status, "POST_PROCESSING"));

export const isLeased = ({ clock }: Ctx, { leaseUntil }: JobRow): boolean =>
	leaseUntil !== null && leaseUntil > clock().toISOString();

/**
 * Claims or renews the lease of a job that is being finished. It changes nothing else of the row, because every worker must write
 * the same result.
 * @returns false if another worker holds the lease, or if the job is no longer being finished.
 */
export async function takeFinishingLease(
	{ db, clock }: Ctx,
	row: JobRow,
	leaseToken: string,
): Promise<boolean> {
	const now = clock();
	const free = or(isUnleased(now), eq(jobs.leaseToken, leaseToken));
	const held = await db
		.update(jobs)
		.set({ leaseToken, leaseUntil: leaseEnd(now) })
		.where(and(isFinishing(row), free))
		.returning({ id: jobs.id });
	return held.length > 0;
}
