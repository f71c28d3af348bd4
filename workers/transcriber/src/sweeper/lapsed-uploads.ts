import { logError } from "@parley/context/log";
import { type UploadRow, uploads } from "@parley/db/uploads";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

const MAX_UPLOADS = 100;

/**
 * Removes uploads that were never submitted, of all organisations. The oldest rows expire first, so the first that
 * has not expired ends it. From its expiry on no submission takes an upload, so its object may go before its row.
 */
export async function removeLapsedUploads({ db, env, clock }: Ctx): Promise<void> {
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
	// The job_id of an aborted upload was free since, and the object under its key may be a job's.
	if (abortedAt === null) await bucket.delete(key);
	if (multipartId === null || completedAt !== null) return;
	// The bucket itself aborts what is a week old.
	await bucket
		.resumeMultipartUpload(key, multipartId)
		.abort()
		.catch((error) => logError("aborting a lapsed upload", error, { job_id: jobId }));
}
