import { and, eq } from "drizzle-orm";
import type { Database } from "./client.ts";
import { chunksOf, jobChunks } from "./job-chunks.ts";
import { type JobRow, jobs } from "./jobs.ts";
import { removeJobFiles } from "./media.ts";
import { keepJobUsage } from "./usage.ts";

/**
 * Removes a job that was marked as deleted: its files first, then its rows, so that nothing is left that no row names.
 * It may be repeated from anywhere.
 */
export async function eraseJob(db: Database, bucket: R2Bucket, row: JobRow): Promise<void> {
	await removeJobFiles(bucket, row);
	await db.batch([
		keepJobUsage(db, row),
		db.delete(jobChunks).where(chunksOf(row)),
		db.delete(jobs).where(and(eq(jobs.organisationId, row.organisationId), eq(jobs.jobId, row.jobId))),
	]);
}
