import { assertThat, failedAssertion } from "@parley/db/assertion";
import { jobs } from "@parley/db/batch/jobs";
import { type UploadRow, uploads } from "@parley/db/batch/uploads";
import { isUniqueViolation } from "@parley/db/client";
import { and, eq, exists, isNotNull, not, or, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { hasCredits, insufficientCredits } from "../credits.ts";
import { jobIdTaken } from "../job-ids.ts";

/** How long an upload waits for its submission; longer than its URLs, which may be used at the last moment. */
const UPLOAD_LIFETIME_MS = 24 * 3_600_000;

/**
 * An upload's row, which reserves its job_id. It takes the place of one with this job_id that was aborted, or that meets
 * `replaceable`: a new row, so that rows stay in the order in which they expire.
 * @throws ApiError INSUFFICIENT_CREDITS, or JOB_CONFLICT when the job_id is taken.
 */
export async function reserveUpload(
	ctx: Ctx,
	upload: Omit<typeof uploads.$inferInsert, "createdAt" | "expiresAt">,
	replaceable?: SQL,
): Promise<UploadRow> {
	const { db, clock } = ctx;
	const { organisationId, jobId } = upload;
	const now = clock();
	const expiresAt = new Date(now.getTime() + UPLOAD_LIFETIME_MS).toISOString();
	const sameId = and(eq(uploads.organisationId, organisationId), eq(uploads.jobId, jobId));
	const job = db
		.select({ jobId: jobs.jobId })
		.from(jobs)
		.where(and(eq(jobs.organisationId, organisationId), eq(jobs.jobId, jobId)));
	try {
		const [, [row]] = await db.batch([
			db.delete(uploads).where(and(sameId, or(isNotNull(uploads.abortedAt), replaceable))),
			db
				.insert(uploads)
				.values({ ...upload, createdAt: now.toISOString(), expiresAt })
				.returning(),
			assertThat(db, not(exists(job)), "taken"),
			assertThat(db, hasCredits(ctx), "no_credits"),
		]);
		if (!row) throw new Error("An insert answered no row");
		return row;
	} catch (error) {
		const failure = failedAssertion(error);
		if (failure === "no_credits") throw insufficientCredits();
		if (failure === "taken" || isUniqueViolation(error)) throw jobIdTaken();
		throw error;
	}
}
