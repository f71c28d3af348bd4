import { downloadMetadata } from "@parley/batch/downloads";
import { inputKey } from "@parley/batch/object-keys";
import type {
	BegunUpload,
	CreateUpload,
	PresignedParts,
	PresignParts,
	Upload,
} from "@parley/contracts/batch/uploads";
import { ApiError } from "@parley/contracts/shared/api-error";
import { ANY_TYPE } from "@parley/contracts/shared/media-types";
import { type UploadRow, uploads } from "@parley/db/batch/uploads";
import { newId } from "@parley/db/id";
import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { generateJobId, hashOf } from "../job-ids.ts";
import { refuseField } from "../refusals.ts";
import { listParts } from "./list-parts.ts";
import { partCount, sizeOfPart } from "./part-sizes.ts";
import { presignedUrl, s3Uri, URL_LIFETIME_SECONDS } from "./presigned-url.ts";
import { reserveUpload } from "./reserve-upload.ts";
import {
	isFresh,
	isUpload,
	type MultipartRow,
	multipartOf,
	readUpload,
	requireOpen,
	uploadComplete,
} from "./upload-row.ts";

/**
 * Begins an upload in parts and reserves its job_id. The same call with the same job_id finds the upload that it began.
 * @throws ApiError INSUFFICIENT_CREDITS, or JOB_CONFLICT when the job_id is taken.
 */
export async function createUpload(ctx: Ctx, body: CreateUpload): Promise<BegunUpload> {
	const { env, actor } = ctx;
	const owner = { organisationId: actor.organisation.id, jobId: body.job_id ?? generateJobId() };
	const requestHash = await hashOf(body);
	const begun = body.job_id === undefined ? undefined : await findBegun(ctx, owner.jobId, requestHash);
	if (begun) return toBegun(ctx, begun);

	const key = inputKey(owner, body.filename);
	const contentType = body.content_type ?? ANY_TYPE;
	const httpMetadata = downloadMetadata(contentType, key);
	const multipart = await env.MEDIA.createMultipartUpload(key, { httpMetadata });
	try {
		const row = await reserveUpload(ctx, {
			...owner,
			key,
			contentType,
			request: {},
			requestHash,
			uploadId: newId(),
			multipartId: multipart.uploadId,
			sizeBytes: body.size_bytes,
			partSize: body.part_size,
			checksumSha256: body.checksum_sha256 ?? null,
		});
		return toBegun(ctx, row as MultipartRow);
	} catch (error) {
		// Any other error leaves open whether the row was written.
		if (error instanceof ApiError) await multipart.abort();
		throw error;
	}
}

async function findBegun(ctx: Ctx, jobId: string, requestHash: string): Promise<MultipartRow | undefined> {
	const { db, actor } = ctx;
	const [row] = await db
		.select()
		.from(uploads)
		.where(
			and(
				eq(uploads.organisationId, actor.organisation.id),
				eq(uploads.jobId, jobId),
				eq(uploads.requestHash, requestHash),
				isNull(uploads.abortedAt),
				isFresh(ctx),
			),
		);
	return row as MultipartRow | undefined;
}

/** URLs for some of an upload's parts, which may be asked for again and again. @throws ApiError */
export async function presignParts(
	ctx: Ctx,
	uploadId: string,
	{ part_numbers }: PresignParts,
): Promise<PresignedParts> {
	const row = await readUpload(ctx, uploadId);
	requireOpen(row);
	const last = partCount(row);
	const beyond = part_numbers.findIndex((part) => part > last);
	if (beyond >= 0)
		throw refuseField(`part_numbers.${beyond}`, `Must be at most ${last}, the last part of this upload`);
	const parts = part_numbers.map(async (part) => {
		const size = sizeOfPart(row, part);
		const headers = { "Content-Length": String(size) };
		const query = { partNumber: String(part), uploadId: row.multipartId };
		const url = await presignedUrl(ctx, { method: "PUT", headers, query }, row.key);
		return { part_number: part, url, size_bytes: size, headers };
	});
	return { upload_id: uploadId, parts: await Promise.all(parts), expires_in: URL_LIFETIME_SECONDS };
}

export async function getUpload(ctx: Ctx, uploadId: string): Promise<Upload> {
	const row = await readUpload(ctx, uploadId);
	const status = statusOf(row);
	return { ...toBegun(ctx, row), status, parts: status === "open" ? await listParts(ctx, row) : null };
}

/** Aborting again is the same as once. @throws ApiError JOB_CONFLICT when the upload is complete. */
export async function abortUpload(ctx: Ctx, uploadId: string): Promise<void> {
	const { db, clock, defer } = ctx;
	const row = await readUpload(ctx, uploadId);
	if (row.completedAt !== null) throw uploadComplete(uploadId);
	// The mark comes first: from then on nothing completes it.
	const marked = await db
		.update(uploads)
		.set({ abortedAt: row.abortedAt ?? clock().toISOString() })
		.where(and(isUpload(ctx, uploadId), isNull(uploads.completedAt)))
		.returning({ jobId: uploads.jobId });
	if (marked.length === 0) return abortUpload(ctx, uploadId);
	// Should this fail, the sweeper does it when the upload lapses.
	defer(multipartOf(ctx, row).abort());
}

const statusOf = ({ completedAt, abortedAt }: UploadRow): Upload["status"] => {
	if (abortedAt !== null) return "aborted";
	return completedAt === null ? "open" : "completed";
};

const toBegun = ({ env }: Ctx, row: MultipartRow): BegunUpload => ({
	upload_id: row.uploadId,
	job_id: row.jobId,
	s3_key: row.key,
	s3_uri: s3Uri(env, row.key),
	size_bytes: row.sizeBytes,
	part_size: row.partSize,
	part_count: partCount(row),
	expires_at: row.expiresAt,
});
