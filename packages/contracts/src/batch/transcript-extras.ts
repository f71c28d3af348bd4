import { z } from "zod";
import { AUDIO_EVENT_TYPES } from "./job-configs.ts";

const span = {
	start_time: z.number().describe("Seconds from the start of the audio"),
	end_time: z.number().describe("Seconds from the start of the audio"),
};
const voice = {
	speaker: z.string().optional().describe("Who spoke, where speakers are told apart"),
	channel: z.string().optional().describe("Label of its channel, where channels are recognised apart"),
};

export const TranslatedSegment = z
	.object({ ...span, content: z.string().describe("The sentence in the target language"), ...voice })
	.meta({ id: "TranslatedSegment" });
export type TranslatedSegment = z.infer<typeof TranslatedSegment>;

export const Summary = z
	.object({ content: z.string().describe("Paragraphs, or lines that begin with a dash") })
	.meta({ id: "Summary", description: "What the audio is about" });
export type Summary = z.infer<typeof Summary>;

const counts = {
	positive_count: z.int().describe("Sentences that are positive"),
	neutral_count: z.int().describe("Sentences that are neither"),
	negative_count: z.int().describe("Sentences that are negative"),
};

export const SentimentAnalysis = z
	.object({
		segments: z
			.array(
				z.object({
					text: z.string().describe("The sentence"),
					...span,
					sentiment: z.enum(["positive", "neutral", "negative"]).describe("How it sounds"),
					confidence: z.number().min(0).max(1).describe("0 to 1"),
					...voice,
				}),
			)
			.describe("One for each sentence of the transcript"),
		summary: z
			.object({
				overall: z.object(counts).describe("Of all sentences"),
				speakers: z
					.array(z.object({ speaker: z.string().describe("Who spoke"), ...counts }))
					.describe("Of each speaker's; empty where speakers are not told apart"),
				channels: z
					.array(z.object({ channel: z.string().describe("The channel's label"), ...counts }))
					.describe("Of each channel's; empty where channels are not recognised apart"),
			})
			.describe("How many sentences there are of each"),
	})
	.meta({ id: "SentimentAnalysis", description: "The sentiment of each sentence" });
export type SentimentAnalysis = z.infer<typeof SentimentAnalysis>;

export const Topics = z
	.object({
		segments: z
			.array(
				z.object({
					text: z.string().describe("What was said"),
					...span,
					topics: z.array(z.object({ topic: z.string().describe("Its name") })).describe("What it is about"),
				}),
			)
			.describe("In time order"),
		summary: z
			.object({
				overall: z.record(z.string(), z.int()).meta({ description: "How many segments each topic has" }),
			})
			.describe("What the whole is about"),
	})
	.meta({ id: "Topics", description: "The stretches of the transcript that have topics" });
export type Topics = z.infer<typeof Topics>;

export const TranscriptChapter = z
	.object({
		title: z.string().describe("What the chapter is called"),
		summary: z.string().describe("What it is about"),
		...span,
	})
	.meta({ id: "TranscriptChapter" });
export type TranscriptChapter = z.infer<typeof TranscriptChapter>;

export const AudioEvent = z
	.object({
		type: z.enum(AUDIO_EVENT_TYPES).describe("What is heard"),
		...span,
		confidence: z
			.number()
			.min(0)
			.max(1)
			.meta({ description: "How clear it is, 0.5 where it is only just called so; no probability" }),
		channel: z.string().optional().meta({ description: "Where channels are recognised apart" }),
	})
	.meta({ id: "AudioEvent" });
export type AudioEvent = z.infer<typeof AudioEvent>;

/** Extras of a transcript that were requested and could be made. */
export const transcriptExtras = {
	translations: z.record(z.string(), z.array(TranslatedSegment)).optional().meta({
		description: "By target language; one segment for each sentence of the transcript",
	}),
	summary: Summary.optional(),
	sentiment_analysis: SentimentAnalysis.optional(),
	topics: Topics.optional(),
	chapters: z.array(TranscriptChapter).optional().meta({
		description: "From the first word to the last, each ending where the next begins",
	}),
	audio_events: z.array(AudioEvent).optional().meta({ description: "In time order" }),
};

export const ExtraError = z
	.object({
		type: z.string().meta({ description: "Code of the reason", example: "engine_timeout" }),
		message: z.string().describe("The reason as a sentence"),
		target_language: z.string().optional().meta({ description: "Of a translation" }),
	})
	.meta({ id: "ExtraError", description: "Why something that was asked for is missing from the transcript" });
export type ExtraError = z.infer<typeof ExtraError>;

const errors = z.array(ExtraError).optional().describe("Why it is missing, or a part of it");

/** Which engines were at work, and what they could not do. */
export const extrasMetadata = {
	language_engines: z
		.record(z.string(), z.string())
		.optional()
		.meta({
			description: "What made each part, by its name; a translation's is `translation/` and its language",
			example: { summarization: "parley/classical/textrank" },
		}),
	translation_errors: errors,
	summarization_errors: errors,
	sentiment_analysis_errors: errors,
	topic_detection_errors: errors,
	auto_chapters_errors: errors,
	audio_events_errors: errors,
};

const TranscriptExtras = z.object(transcriptExtras);
export type TranscriptExtras = z.infer<typeof TranscriptExtras>;
const ExtrasMetadata = z.object(extrasMetadata);
export type ExtrasMetadata = z.infer<typeof ExtrasMetadata>;
