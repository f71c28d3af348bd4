import { z } from "zod";
import { ShownNotifications } from "./webhooks.ts";

const LanguageCode = z
	.string()
	.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Not a language tag such as en or pt-BR")
	.meta({ example: "en" });

const VocabularyEntry = z.strictObject({
	content: z.string().trim().min(1).max(200),
	sounds_like: z.array(z.string().trim().min(1).max(200)).max(20).optional(),
});

/** What is asked of the speech engine. A feature that the chosen engine lacks is refused at submission. */
export const TranscriptionConfig = z
	.strictObject({
		language: z.union([z.literal("auto"), LanguageCode]).default("en"),
		operating_point: z.enum(["enhanced", "standard"]).default("enhanced"),
		diarization: z.enum(["none", "speaker", "channel"]).default("none"),
		channel_diarization_labels: z.array(z.string().trim().min(1).max(64)).max(32).optional(),
		domain: z.string().trim().min(1).max(64).optional(),
		output_locale: z
			.string()
			.regex(/^[a-z]{2,3}-[A-Z]{2}$/, "Not a locale such as en-GB")
			.optional(),
		enable_entities: z.boolean().default(false),
		additional_vocab: z.array(VocabularyEntry).max(1000).optional(),
		punctuation_overrides: z
			.strictObject({
				permitted_marks: z.array(z.string().min(1).max(8)).max(32).optional(),
				sensitivity: z.number().min(0).max(1).optional(),
			})
			.optional(),
	})
	.meta({ id: "TranscriptionConfig" });
export type TranscriptionConfig = z.output<typeof TranscriptionConfig>;

/** What may be told of the sound beside words. Which of them an engine offers differs. */
export const AUDIO_EVENT_TYPES = ["laughter", "applause", "music"] as const;
export type AudioEventType = (typeof AUDIO_EVENT_TYPES)[number];

/** What may be made of a transcript beside itself, by the name of its configuration. */
export const EXTRA_CONFIGS = {
	translation_config: z.strictObject({ target_languages: z.array(LanguageCode).min(1).max(5) }),
	summarization_config: z.strictObject({
		content_type: z.enum(["auto", "informative", "conversational"]).default("auto"),
		summary_length: z.enum(["brief", "detailed"]).default("brief"),
		summary_type: z.enum(["paragraphs", "bullets"]).default("bullets"),
	}),
	sentiment_analysis_config: z.strictObject({}),
	topic_detection_config: z.strictObject({
		topics: z.array(z.string().trim().min(1).max(100)).max(10).optional(),
	}),
	auto_chapters_config: z.strictObject({}),
	audio_events_config: z.strictObject({
		types: z.array(z.enum(AUDIO_EVENT_TYPES)).min(1).max(AUDIO_EVENT_TYPES.length).optional().meta({
			description: "All that the deployment offers when absent; a type it does not offer is refused",
		}),
	}),
} as const;
export type ExtraConfigName = keyof typeof EXTRA_CONFIGS;

/** Bounds of the two subtitle limits: characters a line, lines a cue. */
export const MAX_LINE_LENGTH = [1, 500] as const;
export const MAX_LINES = [1, 20] as const;

export const OutputConfig = z
	.strictObject({
		srt_overrides: z
			.strictObject({
				max_line_length: z.int().min(MAX_LINE_LENGTH[0]).max(MAX_LINE_LENGTH[1]).optional(),
				max_lines: z.int().min(MAX_LINES[0]).max(MAX_LINES[1]).optional(),
			})
			.optional(),
	})
	.meta({ id: "OutputConfig" });
export type OutputConfig = z.output<typeof OutputConfig>;

/** The caller's own names for a job; lists filter by `reference` and by tag. */
export const Tracking = z
	.strictObject({
		title: z.string().max(500).optional(),
		reference: z.string().max(500).optional(),
		tags: z.array(z.string().min(1).max(100)).max(50).optional(),
		details: z.string().max(5000).optional(),
	})
	.meta({ id: "Tracking" });
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
	.meta({ id: "JobConfig" });
export type JobConfig = z.output<typeof JobConfig>;
