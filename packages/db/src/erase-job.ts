import { and, eq, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Database } from "./client.ts";
import { deliveries, deliveriesOf } from "./deliveries.ts";
import { chunksOf, jobChunks } from "./job-chunks.ts";
import { type JobRow, jobs } from "./jobs.ts";
import { removeJobFiles } from "./media.ts";
import { keepJobUsage } from "./usage.ts";

/** How long a removal that died keeps others off. */
const HELD_MS = 60_000;

/**
 * Removes a job that was marked as deleted: its files first, then its rows, so that nothing is left that no row names. One
 * at a time: once the row is gone its id may be a new job's, whose files are not to be touched.
 * @returns whether it was removed; false when there is none to remove or somebody else is at it. It may be repeated.
 */
export async function eraseJob(db: Database, bucket: R2Bucket, row: JobRow, now: Date): Promise<boolean> {
	const leaseToken = crypto.randomUUID();
	const job = and(eq(jobs.organisationId, row.organisationId), eq(jobs.jobId, row.jobId));
	const mine = and(job, eq(jobs.leaseToken, leaseToken));
	const isFree = or(isNull(jobs.leaseUntil), lte(jobs.leaseUntil, now.toISOString()));
	const [held] = await db
		.update(jobs)
		.set({ leaseToken, leaseUntil: new Date(now.getTime() + HELD_MS).toISOString() })
		.where(and(job, isNotNull(jobs.deletedAt), isFree))
		.returning();
	if (!held) return false;
	try {
		await removeJobFiles(bucket, held);
		await db.batch([
			keepJobUsage(db, held),
			db.delete(jobChunks).where(chunksOf(held)),
			db.delete(deliveries).where(deliveriesOf(held)),
			db.delete(jobs).where(mine),
		]);
		return true;
	} catch (error) {
		await db.update(jobs).set({ leaseToken: null, leaseUntil: null }).where(mine);
		throw error;
	}
}
