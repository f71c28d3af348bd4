import { z } from "zod";
import { Timestamp } from "../shared/common.ts";
import { Tracking, TranscriptionConfig } from "./job-configs.ts";
import { extrasMetadata, transcriptExtras } from "./transcript-extras.ts";

export const TRANSCRIPT_FORMAT = "2.9";

const Alternative = z.object({
	content: z.string().describe("The word or mark as text"),
	confidence: z.number().min(0).max(1).nullable().describe("0 to 1; null where the engine does not tell"),
	language: z.string().nullable().describe("ISO 639 code; null where nobody knows"),
	speaker: z.string().optional().describe("Who spoke, where speakers are told apart"),
});

const span = {
	start_time: z.number().describe("Seconds from the start of the audio"),
	end_time: z.number().describe("Seconds from the start of the audio"),
};

/** One word, punctuation mark or entity. Times are seconds from the start of the audio. */
export const TranscriptResult = z
	.object({
		type: z.enum(["word", "punctuation", "entity"]).describe("What it is"),
		...span,
		channel: z.string().optional().describe("Label of its channel, where channels are recognised apart"),
		attaches_to: z
			.enum(["previous", "next", "both", "none"])
			.optional()
			.describe("Of punctuation: the side on which no space comes"),
		is_eos: z.boolean().optional().describe("Of punctuation: whether it ends a sentence"),
		alternatives: z.array(Alternative).describe("What it may be, the likeliest first"),
		edited: z
			.literal(true)
			.optional()
			.describe("Only in a revision: a person wrote it, and its time is that of the words that it replaces"),
	})
	.meta({ id: "TranscriptResult" });
export type TranscriptResult = z.infer<typeof TranscriptResult>;

/** Seconds from the start of the audio. */
export const TimeSpan = z.object(span).meta({ id: "TimeSpan" });
export type TimeSpan = z.infer<typeof TimeSpan>;

/** A word that the engine gave and that is not in the transcript; `silence` where there was nothing to hear. */
export const RemovedWord = z
	.object({
		...span,
		content: z.string().describe("The word as the engine wrote it"),
		reason: z.enum(["silence"]).describe("`silence` where there was nothing to hear"),
	})
	.meta({ id: "RemovedWord" });
export type RemovedWord = z.infer<typeof RemovedWord>;

/** Details of coverage. Absent from transcripts made before coverage was measured. */
const coverageMetadata = {
	coverage_note: z.string().nullable().optional().meta({ description: "Why coverage is null" }),
	missing: z
		.array(TimeSpan)
		.optional()
		.meta({ description: "Up to ten of the longest stretches that sound like speech but have no words" }),
	partial: z.boolean().optional().meta({ description: "Coverage is below what this deployment asks for" }),
	removed: z.array(RemovedWord).optional().meta({ description: "The first hundred at most" }),
	removed_count: z.int().optional().describe("How many words were removed in all"),
};

/** The transcript as JSON, in the order in which it was spoken. */
export const Transcript = z
	.object({
		format: z.literal(TRANSCRIPT_FORMAT).describe("Version of this shape"),
		job: z
			.object({
				id: z.string().describe("The job's `job_id`"),
				created_at: Timestamp.describe("When it was submitted"),
				duration: z.number().nullable().describe("Of the audio, in seconds"),
				data_name: z.string().nullable().describe("Name of the input's file"),
				tracking: Tracking.optional(),
			})
			.describe("The job that this is the transcript of"),
		metadata: z
			.object({
				type: z.literal("transcription").describe("Always this"),
				created_at: Timestamp.describe("When recognition ended"),
				model_code: z.string().describe("Of the model that was asked for"),
				engine: z.string().describe("Code of the model that recognised the audio"),
				engines: z
					.array(z.string())
					.optional()
					.meta({ description: "All of them, where one had to take over from another" }),
				transcription_config: TranscriptionConfig,
				languages: z.array(z.string()).describe("ISO 639 codes of the languages that were heard"),
				coverage: z
					.number()
					.min(0)
					.max(1)
					.nullable()
					.describe("Share of what sounds like speech that words account for, 0 to 1"),
				...coverageMetadata,
				word_times_estimated: z
					.boolean()
					.describe("Whether the engine gave no word times, and they were spread over its segments"),
				warnings: z.array(z.string()).describe("What a reader of the transcript should know, as sentences"),
				revision: z
					.object({
						number: z.int().describe("Number of the revision"),
						author: z
							.string()
							.describe("Who saved it: `user:<id>` or `api_key:<id>`")
							.meta({ example: "user:01938f5e-7c00-7000-8000-0000000000f1" }),
						created_at: Timestamp.describe("Time at which it was saved"),
					})
					.optional()
					.describe("Only in a revision: which one this is. Extras are those of the engine's own result."),
				...extrasMetadata,
			})
			.describe("How it came about"),
		results: z.array(TranscriptResult).describe("In time order"),
		...transcriptExtras,
	})
	.meta({ id: "Transcript" });
export type Transcript = z.infer<typeof Transcript>;
