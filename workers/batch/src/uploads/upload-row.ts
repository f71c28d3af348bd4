import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { type UploadRow, uploads } from "@parley/db/batch/uploads";
import { and, eq, gt, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** The row of an upload in parts. */
export type MultipartRow = UploadRow & {
	uploadId: string;
	multipartId: string;
	sizeBytes: number;
	partSize: number;
};

/** An upload that a submission may still take. */
export const isFresh = ({ clock }: Ctx): SQL => gt(uploads.expiresAt, clock().toISOString());

export const isUpload = ({ actor }: Ctx, uploadId: string): SQL | undefined =>
	and(eq(uploads.organisationId, actor.organisation.id), eq(uploads.uploadId, uploadId));

/** @throws ApiError RESOURCE_NOT_FOUND, also when a job was made of it or it has lapsed. */
export async function readUpload(ctx: Ctx, uploadId: string): Promise<MultipartRow> {
	const [row] = await ctx.db
		.select()
		.from(uploads)
		.where(and(isUpload(ctx, uploadId), isFresh(ctx)));
	if (!row) throw notFound("Upload", uploadId);
	return row as MultipartRow;
}

/** @throws ApiError JOB_CONFLICT when the upload takes no parts any more. */
export function requireOpen({ uploadId, completedAt, abortedAt }: UploadRow): void {
	if (abortedAt !== null)
		throw new ApiError("JOB_CONFLICT", `Upload ${uploadId} was aborted: create another one`);
	if (completedAt !== null) throw uploadComplete(uploadId);
}

export const uploadComplete = (uploadId: string | null): ApiError =>
	new ApiError("JOB_CONFLICT", `Upload ${uploadId} is complete: submit its s3_key`);

/** The bucket's side of it. */
export const multipartOf = ({ env }: Ctx, { key, multipartId }: MultipartRow): R2MultipartUpload =>
	env.MEDIA.resumeMultipartUpload(key, multipartId);
