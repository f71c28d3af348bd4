import { inputKey, outputPrefix } from "@parley/batch/object-keys";
import type { PresignedUpload, SubmitJob } from "@parley/contracts/batch/job-submission";
import { ANY_TYPE } from "@parley/contracts/shared/media-types";
import { uploads } from "@parley/db/batch/uploads";
import { eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { generateJobId, hashOf } from "../job-ids.ts";
import { resolveRequest } from "../job-request.ts";
import { fingerprinted, sealNotifications } from "../webhooks/notifications.ts";
import { presignedUrl, s3Uri, URL_LIFETIME_SECONDS } from "./presigned-url.ts";
import { reserveUpload } from "./reserve-upload.ts";

/**
 * An upload URL, and the reservation of its job_id; no job exists yet. The same call with the same job_id gives a fresh URL.
 * @throws ApiError INVALID_REQUEST, INSUFFICIENT_CREDITS, or JOB_CONFLICT when the job_id is taken.
 */
export async function presignUpload(ctx: Ctx, body: SubmitJob): Promise<PresignedUpload> {
	const { config } = resolveRequest(ctx, body);
	const owner = { organisationId: ctx.actor.organisation.id, jobId: body.job_id ?? generateJobId() };
	const key = inputKey(owner, body.filename ?? "audio");
	const contentType = body.content_type ?? ANY_TYPE;
	const requestHash = await hashOf(await fingerprinted(ctx, body));
	const sizeBytes = body.size_bytes ?? null;
	const notification_config = await sealNotifications(ctx, owner.jobId, body.notification_config);
	const request = { ...body, notification_config };
	const upload = { ...owner, key, contentType, sizeBytes, request, requestHash };
	await reserveUpload(ctx, upload, eq(uploads.requestHash, requestHash));
	const headers = {
		"Content-Type": contentType,
		...(sizeBytes !== null && { "Content-Length": String(sizeBytes) }),
	};
	return {
		job_id: owner.jobId,
		transcription_config: config.transcription_config,
		input_s3_uri: s3Uri(ctx.env, key),
		output_s3_prefix: s3Uri(ctx.env, outputPrefix(owner)),
		upload: {
			url: await presignedUrl(ctx, { method: "PUT", headers }, key),
			s3_key: key,
			s3_uri: s3Uri(ctx.env, key),
			expires_in: URL_LIFETIME_SECONDS,
			headers,
		},
		...(body.tracking && { tracking: body.tracking }),
		...(body.output_config && { output_config: body.output_config }),
	};
}
