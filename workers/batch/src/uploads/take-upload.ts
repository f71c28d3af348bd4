import { jobs } from "@parley/db/batch/jobs";
import { type UploadRow, uploads } from "@parley/db/batch/uploads";
import { and, eq, exists } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { refuseField } from "../refusals.ts";
import { isFresh } from "./upload-row.ts";

/**
 * The upload with this key and what was uploaded there.
 * @param jobId the one that the submission gives, if any; it has to be the upload's.
 * @throws ApiError INVALID_REQUEST when it is not the organisation's, not there, or used.
 */
export async function findUpload(
	ctx: Ctx,
	key: string,
	jobId: string | undefined,
): Promise<{ upload: UploadRow; object: R2Object }> {
	const organisationId = ctx.actor.organisation.id;
	const [, owner, keyJobId = ""] = key.split("/");
	if (owner !== organisationId) throw uploadNotFound();
	const sameJob = and(eq(uploads.organisationId, organisationId), eq(uploads.jobId, keyJobId));
	const [[upload], object] = await Promise.all([
		ctx.db
			.select()
			.from(uploads)
			.where(and(sameJob, eq(uploads.key, key), isFresh(ctx))),
		ctx.env.MEDIA.head(key),
	]);
	if (!upload || upload.abortedAt !== null) throw await refuseMissing(ctx, key, keyJobId);
	if (jobId !== undefined && jobId !== upload.jobId)
		throw refuseField("job_id", `Must be ${upload.jobId}, for which this upload was created, or be absent`);
	if (upload.uploadId !== null && upload.completedAt === null)
		throw refuseField("s3_key", `Upload ${upload.uploadId} is not complete: complete it first`);
	if (!object)
		throw refuseField(
			"s3_key",
			"Nothing has been uploaded under this key: PUT the audio to the upload's URL first",
		);
	if (upload.sizeBytes !== null && upload.sizeBytes !== object.size)
		throw refuseField(
			"s3_key",
			`The upload has ${object.size} bytes, but size_bytes was ${upload.sizeBytes}: upload the whole file again`,
		);
	return { upload, object };
}

/** The statements by which a job takes its upload: it must still be there, and is gone afterwards. */
export function takeUpload(ctx: Ctx, { organisationId, jobId }: UploadRow) {
	const { db } = ctx;
	const own = and(eq(uploads.organisationId, organisationId), eq(uploads.jobId, jobId));
	const there = db
		.select({ jobId: uploads.jobId })
		.from(uploads)
		.where(and(own, isFresh(ctx)));
	return { isThere: exists(there), take: db.delete(uploads).where(own) };
}

async function refuseMissing({ db, actor }: Ctx, key: string, jobId: string) {
	const [job] = await db
		.select({ inputKey: jobs.inputKey })
		.from(jobs)
		.where(and(eq(jobs.organisationId, actor.organisation.id), eq(jobs.jobId, jobId)));
	return job?.inputKey === key ? uploadTaken() : uploadNotFound();
}

export const uploadTaken = () =>
	refuseField("s3_key", "Already used by another job: an upload serves one job, so upload the file again");

const uploadNotFound = () =>
	refuseField("s3_key", "No upload has this key: use the s3_key of a presign call or of a completed upload");
