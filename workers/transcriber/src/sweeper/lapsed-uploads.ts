import { uploads } from "@parley/db/uploads";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

const MAX_UPLOADS = 100;

/**
 * Removes presigned uploads that were never submitted, of all organisations. The oldest rows expire first, so the first that
 * has not expired ends it. From its expiry on no submission takes an upload, so its object may go before its row.
 */
export async function removeLapsedUploads({ db, env, clock }: Ctx): Promise<void> {
	const now = clock().toISOString();
	const oldest = await db.select().from(uploads).orderBy(asc(sql`rowid`)).limit(MAX_UPLOADS);
	for (const { organisationId, jobId, key, expiresAt } of oldest) {
		if (expiresAt > now) return;
		await env.MEDIA.delete(key);
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
