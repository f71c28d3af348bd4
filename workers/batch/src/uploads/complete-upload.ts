import type { CompletedUpload, CompleteUpload } from "@parley/contracts/batch/uploads";
import { ApiError } from "@parley/contracts/shared/api-error";
import { uploads } from "@parley/db/batch/uploads";
import { and, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { refuseField } from "../refusals.ts";
import { partCount } from "./part-sizes.ts";
import { s3Uri } from "./presigned-url.ts";
import { isUpload, type MultipartRow, multipartOf, readUpload, requireOpen } from "./upload-row.ts";

/**
 * Makes one object of all parts, of the size that was declared. Again is the same as once.
 * @throws ApiError INVALID_REQUEST naming the part, or JOB_CONFLICT when the upload was aborted.
 */
export async function completeUpload(
	ctx: Ctx,
	uploadId: string,
	{ parts }: CompleteUpload,
): Promise<CompletedUpload> {
	const row = await readUpload(ctx, uploadId);
	if (row.completedAt !== null) return toCompleted(ctx, row, row.completedAt);
	requireOpen(row);
	requireEveryPart(parts, partCount(row));
	const { size } = await assemble(ctx, row, parts);
	if (size !== row.sizeBytes) {
		await discard(ctx, row);
		throw refuseField(
			"parts",
			`The parts hold ${size} bytes, but size_bytes is ${row.sizeBytes}: create another upload`,
		);
	}
	return toCompleted(ctx, row, await markCompleted(ctx, row));
}

function requireEveryPart(parts: CompleteUpload["parts"], count: number): void {
	const seen = new Set<number>();
	for (const [index, { part_number }] of parts.entries()) {
		const field = `parts.${index}.part_number`;
		if (part_number > count)
			throw refuseField(field, `Must be at most ${count}, the last part of this upload`);
		if (seen.has(part_number))
			throw refuseField(field, `Part ${part_number} is listed twice: list each part once`);
		seen.add(part_number);
	}
	for (let part = 1; part <= count; part++)
		if (!seen.has(part))
			throw refuseField("parts", `Part ${part} is missing: list all parts from 1 to ${count}`);
}

/** The bucket's errors by the number at their end. */
const NO_SUCH_UPLOAD = /\(10024\)/;
const REFUSED: [RegExp, string][] = [
	[/\(10025\)/, "A part is missing, or its ETag does not match: upload it again and use the new ETag"],
	[
		/\(10011\)/,
		"A part is smaller than part_size: upload every part but the last with exactly part_size bytes",
	],
	[/\(10048\)/, "The parts differ in size: upload every part but the last with exactly part_size bytes"],
];

async function assemble(ctx: Ctx, row: MultipartRow, parts: CompleteUpload["parts"]): Promise<R2Object> {
	const inOrder = parts
		.map(({ part_number, etag }) => ({ partNumber: part_number, etag: etag.replace(/^"(.*)"$/, "$1") }))
		.sort((a, b) => a.partNumber - b.partNumber);
	try {
		return await multipartOf(ctx, row).complete(inOrder);
	} catch (error) {
		const message = String(error);
		const refused = REFUSED.find(([sign]) => sign.test(message))?.[1];
		if (refused !== undefined) throw refuseField("parts", refused);
		if (!NO_SUCH_UPLOAD.test(message)) throw error;
		// Another call was faster, or one died before its mark.
		const object = await ctx.env.MEDIA.head(row.key);
		if (object) return object;
		throw new ApiError(
			"JOB_CONFLICT",
			`Upload ${row.uploadId} is no longer in the storage: create another one`,
			{
				cause: error,
			},
		);
	}
}

/** Its parts are used up by now, so the upload is over and its job_id free. */
async function discard(ctx: Ctx, row: MultipartRow): Promise<void> {
	await ctx.env.MEDIA.delete(row.key);
	await ctx.db
		.update(uploads)
		.set({ abortedAt: ctx.clock().toISOString() })
		.where(and(isUpload(ctx, row.uploadId), isNull(uploads.completedAt)));
}

/** @returns when it was completed: by this call or by another one. @throws ApiError when it was aborted meanwhile. */
async function markCompleted(ctx: Ctx, row: MultipartRow): Promise<string> {
	const { db, env, clock } = ctx;
	const [marked] = await db
		.update(uploads)
		.set({ completedAt: clock().toISOString() })
		.where(and(isUpload(ctx, row.uploadId), isNull(uploads.completedAt), isNull(uploads.abortedAt)))
		.returning();
	if (marked?.completedAt) return marked.completedAt;
	const { completedAt, ...now } = await readUpload(ctx, row.uploadId);
	if (completedAt !== null) return completedAt;
	await env.MEDIA.delete(row.key);
	requireOpen({ ...now, completedAt });
	throw new Error("An open upload was not marked");
}

const toCompleted = ({ env }: Ctx, row: MultipartRow, completedAt: string): CompletedUpload => ({
	upload_id: row.uploadId,
	job_id: row.jobId,
	s3_key: row.key,
	s3_uri: s3Uri(env, row.key),
	size_bytes: row.sizeBytes,
	completed_at: completedAt,
});
