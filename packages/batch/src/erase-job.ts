import { deliveries } from "@parley/db/batch/deliveries";
import { jobChunks } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { revisions } from "@parley/db/batch/revisions";
import type { Database } from "@parley/db/client";
import { and, eq, isNotNull } from "drizzle-orm";
import { deliveriesOf } from "./deliveries.ts";
import { chunksOf, isJob, isUnleased } from "./job-predicates.ts";
import { keepJobUsage } from "./job-usage.ts";
import { revisionsOf } from "./revisions.ts";
import { unindexTranscript } from "./search-index.ts";
import { removeJobObjects } from "./stored-objects.ts";

/** Time for which a removal that died keeps others from the job. */
const LEASE_MS = 60_000;

/**
 * Removes a job that was marked as deleted: its objects first, then its rows, so that no object outlives its row. One call at a
 * time removes a job, because a new job may have the id as soon as the row is gone.
 * @returns whether this call removed it; false when there is none to remove or another call is removing it.
 */
export async function eraseJob(db: Database, bucket: R2Bucket, row: JobRow, now: Date): Promise<boolean> {
	const leaseToken = crypto.randomUUID();
	const isHeld = and(isJob(row), eq(jobs.leaseToken, leaseToken));
	const [held] = await db
		.update(jobs)
		.set({ leaseToken, leaseUntil: new Date(now.getTime() + LEASE_MS).toISOString() })
		.where(and(isJob(row), isNotNull(jobs.deletedAt), isUnleased(now)))
		.returning();
	if (!held) return false;
	try {
		await removeJobObjects(bucket, held);
		await db.batch([
			keepJobUsage(db, held),
			db.delete(jobChunks).where(chunksOf(held)),
			db.delete(deliveries).where(deliveriesOf(held)),
			db.delete(revisions).where(revisionsOf(held)),
			...unindexTranscript(db, held),
			db.delete(jobs).where(isHeld),
		]);
		return true;
	} catch (error) {
		await db.update(jobs).set({ leaseToken: null, leaseUntil: null }).where(isHeld);
		throw error;
	}
}
