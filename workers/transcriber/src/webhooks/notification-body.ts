import { notificationKey, outputKey } from "@parley/batch/object-keys";
import { toJob } from "@parley/batch/to-job";
import type { TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { DeliveryRow } from "@parley/db/batch/deliveries";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";

/** Maximum size of a transcript in a notification. Receivers fetch larger ones. */
export const MAX_TRANSCRIPT_BYTES = 1024 * 1024;

/**
 * Returns the body of a delivery. It is built once and stored beside the job's outputs, so that every attempt sends the same bytes even
 * if the job or this code changes.
 */
export async function notificationBody(ctx: Ctx, job: JobRow, delivery: DeliveryRow): Promise<Uint8Array> {
	const { MEDIA } = ctx.env;
	const key = notificationKey(job, delivery.id);
	const kept = await MEDIA.get(key);
	if (kept) return new Uint8Array(await kept.arrayBuffer());
	const body = new TextEncoder().encode(JSON.stringify(await toNotification(ctx, job, delivery)));
	const stored: R2Object | null = await MEDIA.put(key, body, {
		httpMetadata: { contentType: "application/json" },
		onlyIf: { etagDoesNotMatch: "*" },
	});
	return stored ? body : notificationBody(ctx, job, delivery);
}

async function toNotification(ctx: Ctx, job: JobRow, { event, contents }: DeliveryRow) {
	const wanted = contents.filter((content) => content !== "jobinfo");
	const transcripts = job.status === "DONE" ? wanted : [];
	const found: Record<string, unknown> = {};
	const omitted: { content: string; path: string }[] = [];
	for (const content of transcripts) {
		const format = content.slice("transcript.".length) as TranscriptFormat;
		const text = await readTranscript(ctx, job, format);
		if (text !== undefined) found[content] = format === "json" ? JSON.parse(text) : text;
		else omitted.push({ content, path: `/v1/batch/jobs/${job.jobId}/transcript?format=${format}` });
	}
	return {
		type: event,
		timestamp: job.completedAt,
		data: {
			job: contents.includes("jobinfo") ? toJob(job) : { job_id: job.jobId, status: job.status },
			...found,
			...(omitted.length > 0 && { omitted }),
		},
	};
}

/** Returns a transcript, or undefined if it is too large for a notification. */
async function readTranscript({ env }: Ctx, job: JobRow, format: TranscriptFormat) {
	const object = await env.MEDIA.get(outputKey(job, format));
	if (object && object.size <= MAX_TRANSCRIPT_BYTES) return object.text();
	await object?.body.cancel();
	return undefined;
}
