import { z } from "zod";

/** Names a job. Messages carry ids only: what they mean is read from the database when they arrive. */
export const JobRef = z.object({ organisation_id: z.string(), job_id: z.string() });
export type JobRef = z.infer<typeof JobRef>;

/** Fetch what is behind the job's URL, then as `StartJob`. */
export const FetchInput = JobRef.extend({ type: z.literal("FetchInput") });
export type FetchInput = z.infer<typeof FetchInput>;

/** Probe and plan. */
export const StartJob = JobRef.extend({ type: z.literal("StartJob") });
export type StartJob = z.infer<typeof StartJob>;

/** Recognise one chunk. */
export const TranscribeChunk = JobRef.extend({
	type: z.literal("TranscribeChunk"),
	position: z.int().min(0),
});
export type TranscribeChunk = z.infer<typeof TranscribeChunk>;

/** Make of the transcript what was asked for beside it. */
export const MakeExtras = JobRef.extend({ type: z.literal("MakeExtras") });
export type MakeExtras = z.infer<typeof MakeExtras>;

/** Join the chunks and write the transcript. */
export const FinishJob = JobRef.extend({ type: z.literal("FinishJob") });
export type FinishJob = z.infer<typeof FinishJob>;

/** Look whether a job that nobody moved needs a push; sent ahead by the sweeper, delivered when the time has come. */
export const WakeJob = JobRef.extend({ type: z.literal("WakeJob") });
export type WakeJob = z.infer<typeof WakeJob>;

/** Tell a webhook that its job has ended. */
export const DeliverWebhook = z.object({
	type: z.literal("DeliverWebhook"),
	organisation_id: z.string(),
	delivery_id: z.string(),
});
export type DeliverWebhook = z.infer<typeof DeliverWebhook>;

/**
 * Messages of the transcription queues: fetches on `parley-inputs`, chunks on `parley-chunks`, extras on `parley-extras`, the others on
 * `parley-transcription`.
 */
export const TranscriptionMessage = z.discriminatedUnion("type", [
	FetchInput,
	StartJob,
	TranscribeChunk,
	MakeExtras,
	FinishJob,
	WakeJob,
]);
export type TranscriptionMessage = z.infer<typeof TranscriptionMessage>;
