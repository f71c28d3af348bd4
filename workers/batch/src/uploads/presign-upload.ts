import type { PresignedUpload, SubmitJob } from "@parley/contracts/job-submission";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { jobs } from "@parley/db/jobs";
import { inputKey, outputPrefix } from "@parley/db/media";
import { uploads } from "@parley/db/uploads";
import { and, eq, exists, not } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { hasCredits, insufficientCredits } from "../jobs/create-job.ts";
import { generateJobId, hashOf, jobIdTaken } from "../jobs/job-identity.ts";
import { resolveRequest } from "../jobs/job-request.ts";
import { presignedUrl, s3Uri, URL_LIFETIME_SECONDS } from "./presigned-url.ts";

/** How long an upload waits for its submission; longer than its URL, which may be used at the last moment. */
const UPLOAD_LIFETIME_MS = 24 * 3_600_000;
const ANY_TYPE = "application/octet-stream";

/**
 * An upload URL, and the reservation of its job_id; no job exists yet. The same call with the same job_id gives a fresh URL.
 * @throws ApiError INVALID_REQUEST, INSUFFICIENT_CREDITS, or JOB_CONFLICT when the job_id is taken.
 */
export async function presignUpload(ctx: Ctx, body: SubmitJob): Promise<PresignedUpload> {
	const { config } = resolveRequest(ctx.engines, body);
	const owner = { organisationId: ctx.actor.organisation.id, jobId: body.job_id ?? generateJobId() };
	const key = inputKey(owner, body.filename ?? "audio");
	const contentType = body.content_type ?? ANY_TYPE;
	await reserve(ctx, {
		...owner,
		key,
		contentType,
		request: body,
		requestHash: await hashOf(body),
		createdAt: ctx.clock().toISOString(),
		expiresAt: new Date(ctx.clock().getTime() + UPLOAD_LIFETIME_MS).toISOString(),
	});
	return {
		job_id: owner.jobId,
		transcription_config: config.transcription_config,
		input_s3_uri: s3Uri(ctx.env, key),
		output_s3_prefix: s3Uri(ctx.env, outputPrefix(owner)),
		upload: {
			url: await presignedUrl(ctx, { method: "PUT", contentType }, key),
			s3_key: key,
			s3_uri: s3Uri(ctx.env, key),
			expires_in: URL_LIFETIME_SECONDS,
			headers: { "Content-Type": contentType },
		},
		...(body.tracking && { tracking: body.tracking }),
		...(body.output_config && { output_config: body.output_config }),
	};
}

async function reserve(ctx: Ctx, upload: typeof uploads.$inferInsert): Promise<void> {
	const { db } = ctx;
	const { organisationId, jobId, requestHash } = upload;
	const same = and(
		eq(uploads.organisationId, organisationId),
		eq(uploads.jobId, jobId),
		eq(uploads.requestHash, requestHash),
	);
	const job = db
		.select({ jobId: jobs.jobId })
		.from(jobs)
		.where(and(eq(jobs.organisationId, organisationId), eq(jobs.jobId, jobId)));
	try {
		await db.batch([
			// A repeated call gets a new row, so that rows stay in the order in which they expire.
			db.delete(uploads).where(same),
			db.insert(uploads).values(upload),
			assertThat(db, not(exists(job)), "taken"),
			assertThat(db, hasCredits(ctx), "no_credits"),
		]);
	} catch (error) {
		const failure = failedAssertion(error);
		if (failure === "no_credits") throw insufficientCredits();
		if (failure === "taken" || isUniqueViolation(error)) throw jobIdTaken();
		throw error;
	}
}
