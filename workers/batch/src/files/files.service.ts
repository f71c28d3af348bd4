import { asAttachment, downloadName } from "@parley/batch/downloads";
import { inputPrefix, outputKey, outputPrefix } from "@parley/batch/object-keys";
import { type JobFiles, TRANSCRIPT_FORMATS } from "@parley/contracts/batch/jobs";
import { ANY_TYPE } from "@parley/contracts/shared/media-types";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";
import { presignedUrl, s3Uri } from "../uploads/presigned-url.ts";

export async function getJobFiles(ctx: Ctx, jobId: string): Promise<JobFiles> {
	const row = await readJob(ctx, jobId);
	const [inputs, outputs] = await Promise.all([
		listObjects(ctx, inputPrefix(row)),
		listObjects(ctx, outputPrefix(row)),
	]);
	const written = TRANSCRIPT_FORMATS.flatMap((format) => {
		const object = outputs.find(({ key }) => key === outputKey(row, format));
		return object ? [{ format, object }] : [];
	});
	return {
		job_id: row.jobId,
		// An input that is still being fetched has no key yet and is not listed.
		inputs: await Promise.all(
			inputs.filter(({ key }) => key === row.inputKey).map((object) => toFile(ctx, row, object)),
		),
		outputs: await Promise.all(
			written.map(async ({ format, object }) => ({ format, ...(await toFile(ctx, row, object)) })),
		),
	};
}

const listObjects = async ({ env }: Ctx, prefix: string): Promise<R2Object[]> =>
	(await env.MEDIA.list({ prefix, include: ["httpMetadata"] })).objects;

async function toFile(ctx: Ctx, { inputKey }: JobRow, { key, size, httpMetadata }: R2Object) {
	// The local simulator ignores it, and serves the disposition that was stored with the object.
	const query = { "response-content-disposition": asAttachment(downloadName(key, inputKey)) };
	return {
		key,
		s3_uri: s3Uri(ctx.env, key),
		download_url: await presignedUrl(ctx, { method: "GET", query }, key),
		content_type: httpMetadata?.contentType ?? ANY_TYPE,
		size_bytes: size,
	};
}
