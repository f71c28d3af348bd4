import { z } from "zod";
import { Timestamp } from "./common.ts";
import { Tracking, TranscriptionConfig } from "./job-configs.ts";
import { extrasMetadata, transcriptExtras } from "./transcript-extras.ts";

export const TRANSCRIPT_FORMAT = "2.9";

const Alternative = z.object({
	content: z.string(),
	confidence: z.number().min(0).max(1).nullable(),
	language: z.string().nullable(),
	speaker: z.string().optional(),
});

/** One word, punctuation mark or entity. Times are seconds from the start of the audio. */
export const TranscriptResult = z
	.object({
		type: z.enum(["word", "punctuation", "entity"]),
		start_time: z.number(),
		end_time: z.number(),
		channel: z.string().optional(),
		attaches_to: z.enum(["previous", "next", "both", "none"]).optional(),
		is_eos: z.boolean().optional(),
		alternatives: z.array(Alternative),
	})
	.meta({ id: "TranscriptResult" });
export type TranscriptResult = z.infer<typeof TranscriptResult>;

/** The transcript as JSON, in the order in which it was spoken. */
export const Transcript = z
	.object({
		format: z.literal(TRANSCRIPT_FORMAT),
		job: z.object({
			id: z.string(),
			created_at: Timestamp,
			duration: z.number().nullable(),
			data_name: z.string().nullable(),
			tracking: Tracking.optional(),
		}),
		metadata: z.object({
			type: z.literal("transcription"),
			created_at: Timestamp,
			model_code: z.string(),
			engine: z.string(),
			transcription_config: TranscriptionConfig,
			languages: z.array(z.string()),
			coverage: z.number().min(0).max(1).nullable(),
			word_times_estimated: z.boolean(),
			warnings: z.array(z.string()),
			...extrasMetadata,
		}),
		results: z.array(TranscriptResult),
		...transcriptExtras,
	})
	.meta({ id: "Transcript" });
export type Transcript = z.infer<typeof Transcript>;
