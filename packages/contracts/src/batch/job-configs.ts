import { z } from "zod";
import { ShownNotifications } from "./webhooks.ts";

const LanguageCode = z
	.string()
	.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Not a language tag such as en or pt-BR")
	.meta({ example: "en" });

const VocabularyEntry = z.strictObject({
	content: z.string().trim().min(1).max(200).describe("The word or name as it is to be written"),
	sounds_like: z
		.array(z.string().trim().min(1).max(200))
		.max(20)
		.optional()
		.describe("Ways in which it is spoken, spelled as they sound"),
});

/** Settings for the speech engine. A feature that the chosen engine lacks is rejected at submission. */
export const TranscriptionConfig = z
	.strictObject({
		language: z
			.union([z.literal("auto"), LanguageCode])
			.default("en")
			.describe("Spoken language as a BCP 47 tag, or `auto` where the engine can tell"),
		operating_point: z
			.enum(["enhanced", "standard"])
			.default("enhanced")
			.describe("Which of its models an engine that has both takes"),
		diarization: z
			.enum(["none", "speaker", "channel"])
			.default("none")
			.describe("Whether voices are told apart: not, by speaker, or by the channel that they are on"),
		channel_diarization_labels: z
			.array(z.string().trim().min(1).max(64))
			.max(32)
			.optional()
			.describe("Names of the channels from the first on; `channel_1` and so on when absent"),
		domain: z
			.string()
			.trim()
			.min(1)
			.max(64)
			.optional()
			.describe("Field of speech that the engine is tuned to"),
		output_locale: z
			.string()
			.regex(/^[a-z]{2,3}-[A-Z]{2}$/, "Not a locale such as en-GB")
			.optional()
			.describe("Whose spelling is written"),
		enable_entities: z.boolean().default(false).describe("Whether numbers, dates and the like are marked"),
		additional_vocab: z
			.array(VocabularyEntry)
			.max(1000)
			.optional()
			.describe("Words that the engine is to expect, as many as it takes"),
		punctuation_overrides: z
			.strictObject({
				permitted_marks: z
					.array(z.string().min(1).max(8))
					.max(32)
					.optional()
					.describe("Marks that are kept; `all` keeps every one, an empty list none"),
				sensitivity: z.number().min(0).max(1).optional().describe("From few marks, 0, to many, 1"),
			})
			.optional()
			.describe("What is punctuated"),
	})
	.meta({
		id: "TranscriptionConfig",
		description: "What is asked of the speech engine; what the chosen one lacks is refused",
	});
export type TranscriptionConfig = z.output<typeof TranscriptionConfig>;

/** Kinds of sounds beside words. Engines differ in which they detect. */
export const AUDIO_EVENT_TYPES = ["laughter", "applause", "music"] as const;
export type AudioEventType = (typeof AUDIO_EVENT_TYPES)[number];

/**
 * Features beside the transcript, by the name of their configuration. One that no engine of the deployment offers is accepted;
 * the transcript's `metadata.<feature>_errors` then says why it is missing.
 */
export const EXTRA_CONFIGS = {
	translation_config: z
		.strictObject({
			target_languages: z
				.array(LanguageCode)
				.min(1)
				.max(5)
				.check(({ value, issues }) => {
					const index = value.findIndex((tag, at) => value.indexOf(tag) < at);
					if (index >= 0)
						issues.push({
							code: "custom",
							path: [index],
							message: "Named twice: name each language once",
							input: value,
						});
				})
				.describe("BCP 47 tags, one translation each"),
		})
		.describe("Asks for translations, sentence by sentence"),
	summarization_config: z
		.strictObject({
			content_type: z
				.enum(["auto", "informative", "conversational"])
				.default("auto")
				.describe("What kind of speech it is"),
			summary_length: z.enum(["brief", "detailed"]).default("brief").describe("How much is told"),
			summary_type: z.enum(["paragraphs", "bullets"]).default("bullets").describe("In what form"),
		})
		.describe("Asks for a summary"),
	sentiment_analysis_config: z.strictObject({}).describe("Asks for the sentiment of each sentence"),
	topic_detection_config: z
		.strictObject({
			topics: z
				.array(z.string().trim().min(1).max(100))
				.max(10)
				.optional()
				.describe("The only topics to look for; whatever is talked about when absent"),
		})
		.describe("Asks for topics"),
	auto_chapters_config: z.strictObject({}).describe("Asks for chapters with titles"),
	audio_events_config: z
		.strictObject({
			types: z.array(z.enum(AUDIO_EVENT_TYPES)).min(1).max(AUDIO_EVENT_TYPES.length).optional().meta({
				description:
					"Types of sound to detect; all that the deployment offers when absent. A type that it does not offer is reported in the transcript's `metadata.audio_events_errors`",
			}),
		})
		.describe("Asks for sounds beside speech"),
} as const;
export type ExtraConfigName = keyof typeof EXTRA_CONFIGS;

/** Bounds of the two subtitle limits: characters a line, lines a cue. */
export const MAX_LINE_LENGTH = [1, 500] as const;
export const MAX_LINES = [1, 20] as const;

export const OutputConfig = z
	.strictObject({
		srt_overrides: z
			.strictObject({
				max_line_length: z
					.int()
					.min(MAX_LINE_LENGTH[0])
					.max(MAX_LINE_LENGTH[1])
					.optional()
					.describe("Characters a line; 37 when absent"),
				max_lines: z
					.int()
					.min(MAX_LINES[0])
					.max(MAX_LINES[1])
					.optional()
					.describe("Lines a subtitle; 2 when absent"),
			})
			.optional()
			.describe("Of the subtitles, SRT and VTT alike"),
	})
	.meta({ id: "OutputConfig", description: "How the outputs are written" });
export type OutputConfig = z.output<typeof OutputConfig>;

/** The caller's own names for a job; lists filter by `reference` and by tag. */
export const Tracking = z
	.strictObject({
		title: z.string().max(500).optional().describe("What people call the job"),
		reference: z
			.string()
			.max(500)
			.optional()
			.describe("What the caller's system calls it; lists filter by it"),
		tags: z.array(z.string().min(1).max(100)).max(50).optional().describe("Lists filter by each of them"),
		details: z.string().max(5000).optional().describe("Whatever else there is to say"),
	})
	.meta({ id: "Tracking", description: "The caller's own names for a job" });
export type Tracking = z.output<typeof Tracking>;

/** Everything that was asked of a job, as its record shows it. */
export const JobConfig = z
	.object({
		transcription_config: TranscriptionConfig,
		translation_config: EXTRA_CONFIGS.translation_config.optional(),
		summarization_config: EXTRA_CONFIGS.summarization_config.optional(),
		sentiment_analysis_config: EXTRA_CONFIGS.sentiment_analysis_config.optional(),
		topic_detection_config: EXTRA_CONFIGS.topic_detection_config.optional(),
		auto_chapters_config: EXTRA_CONFIGS.auto_chapters_config.optional(),
		audio_events_config: EXTRA_CONFIGS.audio_events_config.optional(),
		output_config: OutputConfig.optional(),
		notification_config: ShownNotifications.optional(),
	})
	.meta({ id: "JobConfig", description: "What was asked of the job, defaults filled in" });
export type JobConfig = z.output<typeof JobConfig>;
