import { logError } from "@parley/context/log";
import { type UploadRow, uploads } from "@parley/db/batch/uploads";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

const MAX_UPLOADS = 100;

/**
 * Removes expired uploads of all organisations that were never submitted. The oldest rows expire first, so the search stops at the
 * first that has not expired. An expired upload cannot be submitted, so its object may be removed before its row.
 */
export async function removeExpiredUploads({ db, env, clock }: Ctx): Promise<void> {
	const now = clock().toISOString();
	const oldest = await db.select().from(uploads).orderBy(asc(sql`rowid`)).limit(MAX_UPLOADS);
	for (const row of oldest) {
		const { organisationId, jobId, expiresAt } = row;
		if (expiresAt > now) return;
		await removeObject(env.MEDIA, row);
		await db
			.delete(uploads)
			.where(
				and(
					eq(uploads.organisationId, organisationId),
					eq(uploads.jobId, jobId),
					eq(uploads.expiresAt, expiresAt),
				),
			);
	}
}

async function removeObject(
	bucket: R2Bucket,
	{ key, multipartId, completedAt, abortedAt, jobId }: UploadRow,
): Promise<void> {
	// The job_id of an aborted upload is free again, so the object under its key may belong to a job.
	if (abortedAt === null) await bucket.delete(key);
	if (multipartId === null || completedAt !== null) return;
	// The bucket itself aborts uploads after a week.
	await bucket
		.resumeMultipartUpload(key, multipartId)
		.abort()
		.catch((error) => logError("could not abort an expired upload", error, { job_id: jobId }));
}
