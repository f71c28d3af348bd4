import { isJob, isLive, isUnleased, toJobKey } from "@parley/batch/job-predicates";
import { leaseEnd } from "@parley/context/lease";
import type { JobStatus } from "@parley/contracts/batch/jobs";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, inArray } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Ctx } from "../context.ts";

export async function findJob({ db }: Ctx, ref: JobRef): Promise<JobRow | undefined> {
	const [row] = await db
		.select()
		.from(jobs)
		.where(isJob(toJobKey(ref)));
	return row;
}

/** Claims a job's lease if it is free and the job has one of these statuses. Returns undefined otherwise. */
export async function claimJob(
	{ db, clock }: Ctx,
	ref: JobRef,
	from: JobStatus[],
	changes: SQLiteUpdateSetSource<typeof jobs>,
): Promise<(JobRow & { leaseToken: string }) | undefined> {
	const now = clock();
	const leaseToken = crypto.randomUUID();
	const [row] = await db
		.update(jobs)
		.set({ ...changes, leaseToken, leaseUntil: leaseEnd(now), updatedAt: now.toISOString() })
		.where(and(isJob(toJobKey(ref)), inArray(jobs.status, from), isUnleased(now)))
		.returning();
	return row && { ...row, leaseToken };
}

/** Renews a lease. Returns whether it is still held. */
export async function renewJob({ db, clock }: Ctx, row: { leaseToken: string } & JobRow): Promise<boolean> {
	const renewed = await db
		.update(jobs)
		.set({ leaseUntil: leaseEnd(clock()) })
		.where(and(isLive(row), eq(jobs.leaseToken, row.leaseToken)))
		.returning({ id: jobs.id });
	return renewed.length > 0;
}

/** Releases the lease, so that the next attempt need not wait for its expiry, and resets the count of claims. */
export async function releaseJob({ db }: Ctx, row: { leaseToken: string } & JobRow): Promise<void> {
	await db
		.update(jobs)
		.set({ leaseToken: null, leaseUntil: null, claims: 0 })
		.where(and(isLive(row), eq(jobs.leaseToken, row.leaseToken)));
}
