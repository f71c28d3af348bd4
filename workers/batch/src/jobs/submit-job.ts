import { sha256Hex } from "@parley/bytes/sha256";
import type { QueuedJob, SubmitJob } from "@parley/contracts/batch/job-submission";
import type { InputMetadata } from "@parley/contracts/batch/jobs";
import type { FetchInput, JobRef, StartJob } from "@parley/contracts/internal/queue-messages";
import { ApiError } from "@parley/contracts/shared/api-error";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { generateJobId, hashOf, jobIdTaken } from "../job-ids.ts";
import { type JobRequest, resolveRequest } from "../job-request.ts";
import { outgoingUrl } from "../outgoing-url.ts";
import { findUpload, takeUpload, uploadTaken } from "../uploads/take-upload.ts";
import { fingerprinted, sealNotifications } from "../webhooks/notifications.ts";
import { createJob, type NewJob } from "./create-job.ts";
import { decodeBase64, putInline } from "./input.ts";

/** A job whose input is not known yet. */
type Draft = Omit<NewJob, "inputMetadata">;

/**
 * Makes a job and has it started. With a job_id of the caller's the same body may be sent again: it answers the same.
 * @throws ApiError INVALID_REQUEST, INSUFFICIENT_CREDITS, or JOB_CONFLICT when the job_id is taken by another body.
 */
export async function submitJob(ctx: Ctx, body: SubmitJob): Promise<QueuedJob> {
	const bytes = body.input_base64 === undefined ? undefined : decodeBase64(body.input_base64);
	const bodyHash = body.job_id === undefined ? null : await hashOf(await fingerprinted(ctx, body), bytes);
	const repeated = await findRepeated(ctx, body.job_id, bodyHash, body.s3_key !== undefined);
	if (repeated) return repeated;

	if (body.s3_key !== undefined) return submitUpload(ctx, body, body.s3_key, bodyHash);
	const request = resolveRequest(ctx, body);
	const jobId = body.job_id ?? generateJobId();
	const notifications = await sealNotifications(ctx, jobId, body.notification_config);
	const job = { ...newJob(request, jobId), notifications, bodyHash };
	if (body.input_url !== undefined) {
		const url = outgoingUrl(ctx, "input_url", body.input_url);
		return queue(ctx, { ...job, inputUrl: url, inputMetadata: unknownInput("url", null) });
	}
	return submitInline(ctx, job, bytes ?? new Uint8Array(), body);
}

async function submitInline(ctx: Ctx, job: Draft, bytes: Uint8Array, body: SubmitJob): Promise<QueuedJob> {
	const stored = await putInline(ctx, {
		jobId: job.jobId,
		filename: body.input_filename ?? "",
		bytes,
		isIdGiven: body.job_id !== undefined,
	});
	if (!stored) {
		const repeated = await awaitRepeated(ctx, job);
		if (repeated) return repeated;
		throw new ApiError(
			"JOB_CONFLICT",
			"job_id is used by a submission that is still being received: try again in a moment",
		);
	}
	const sha256 = await sha256Hex(bytes);
	const inputMetadata = { ...unknownInput("inline", bytes.byteLength), sha256 };
	try {
		return await queue(ctx, { ...job, inputKey: stored.key, inputEtag: stored.etag, inputMetadata });
	} catch (error) {
		// Any other error leaves open whether the row was written.
		if (error instanceof ApiError) await ctx.env.MEDIA.delete(stored.key);
		throw error;
	}
}

async function submitUpload(
	ctx: Ctx,
	body: SubmitJob,
	key: string,
	bodyHash: string | null,
): Promise<QueuedJob> {
	const { upload, object } = await findUpload(ctx, key, body.job_id);
	const { mode, filename, content_type, size_bytes, notification_config, ...presigned } = upload.request;
	const request = resolveRequest(ctx, { ...presigned, ...body });
	const notifications = body.notification_config
		? await sealNotifications(ctx, upload.jobId, body.notification_config)
		: (notification_config ?? []);
	const job = {
		...newJob(request, upload.jobId),
		notifications,
		bodyHash,
		inputKey: upload.key,
		inputEtag: object.etag,
		inputMetadata: { ...unknownInput("upload", object.size), sha256: upload.checksumSha256 },
	};
	return queue(ctx, job, takeUpload(ctx, upload));
}

/** The row stands before the message is sent: should the send fail, the sweeper sends it again. */
async function queue(ctx: Ctx, job: NewJob, upload?: ReturnType<typeof takeUpload>): Promise<QueuedJob> {
	const created = await createJob(ctx, job, upload);
	if (created === "taken") {
		if (upload && !job.bodyHash) throw uploadTaken();
		const repeated = await findRepeated(ctx, job.jobId, job.bodyHash ?? null);
		if (repeated) return repeated;
		throw jobIdTaken();
	}
	const ref: JobRef = { organisation_id: ctx.actor.organisation.id, job_id: job.jobId };
	ctx.defer(
		job.inputKey
			? ctx.env.TRANSCRIPTION.send({ ...ref, type: "StartJob" } satisfies StartJob)
			: ctx.env.INPUTS.send({ ...ref, type: "FetchInput" } satisfies FetchInput),
	);
	return { job_id: job.jobId, status: "QUEUED" };
}

const newJob = (request: JobRequest, jobId: string) => ({
	jobId,
	modelCode: request.modelCode,
	jobConfig: request.config,
	metadata: request.metadata,
	tracking: request.tracking,
});

const unknownInput = (source: InputMetadata["source"], size: number | null): InputMetadata => ({
	source,
	size_bytes: size,
	sha256: null,
	duration_seconds: null,
	format: null,
	codec: null,
	channels: null,
	sample_rate: null,
});

/**
 * The answer that the same submission got before; undefined when the job_id is free.
 * @throws ApiError JOB_CONFLICT when it is another job's or reserved for an upload.
 */
async function findRepeated(
	{ db, actor }: Ctx,
	jobId: string | undefined,
	bodyHash: string | null,
	isUpload = false,
): Promise<QueuedJob | undefined> {
	if (jobId === undefined) return undefined;
	const organisationId = actor.organisation.id;
	const [[job], [upload]] = await db.batch([
		db
			.select({ bodyHash: jobs.bodyHash, deletedAt: jobs.deletedAt })
			.from(jobs)
			.where(and(eq(jobs.organisationId, organisationId), eq(jobs.jobId, jobId))),
		db
			.select({ jobId: uploads.jobId })
			.from(uploads)
			.where(
				and(eq(uploads.organisationId, organisationId), eq(uploads.jobId, jobId), isNull(uploads.abortedAt)),
			),
	]);
	if (!job && (!upload || isUpload)) return undefined;
	if (!job || bodyHash === null || job.bodyHash !== bodyHash || job.deletedAt !== null) throw jobIdTaken();
	return { job_id: jobId, status: "QUEUED" };
}

/** Two equal submissions at once: the one that came second waits a moment for the first one's row. */
async function awaitRepeated(ctx: Ctx, job: Draft): Promise<QueuedJob | undefined> {
	for (const ms of [50, 100, 200, 400, 800]) {
		const repeated = await findRepeated(ctx, job.jobId, job.bodyHash ?? null);
		if (repeated) return repeated;
		await ctx.sleep(ms);
	}
	return undefined;
}
