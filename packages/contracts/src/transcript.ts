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

/** Seconds from the start of the audio. */
export const TimeSpan = z.object({ start_time: z.number(), end_time: z.number() }).meta({ id: "TimeSpan" });
export type TimeSpan = z.infer<typeof TimeSpan>;

/** A word that the engine gave and that is not in the transcript; `silence` where there was nothing to hear. */
export const RemovedWord = z
	.object({
		start_time: z.number(),
		end_time: z.number(),
		content: z.string(),
		reason: z.enum(["silence"]),
	})
	.meta({ id: "RemovedWord" });
export type RemovedWord = z.infer<typeof RemovedWord>;

/** What there is to say about coverage beside the figure. Transcripts made before it was measured say nothing. */
const coverageMetadata = {
	coverage_note: z.string().nullable().optional().meta({ description: "Why coverage is null" }),
	missing: z
		.array(TimeSpan)
		.optional()
		.meta({ description: "Up to ten of the longest stretches that sound like speech but have no words" }),
	partial: z.boolean().optional().meta({ description: "Coverage is below what this deployment asks for" }),
	removed: z.array(RemovedWord).optional().meta({ description: "The first hundred at most" }),
	removed_count: z.int().optional(),
};

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
			engines: z
				.array(z.string())
				.optional()
				.meta({ description: "All of them, where one had to take over from another" }),
			transcription_config: TranscriptionConfig,
			languages: z.array(z.string()),
			coverage: z.number().min(0).max(1).nullable(),
			...coverageMetadata,
			word_times_estimated: z.boolean(),
			warnings: z.array(z.string()),
			...extrasMetadata,
		}),
		results: z.array(TranscriptResult),
		...transcriptExtras,
	})
	.meta({ id: "Transcript" });
export type Transcript = z.infer<typeof Transcript>;
