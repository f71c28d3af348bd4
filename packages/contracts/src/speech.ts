import { z } from "zod";

/** Largest audio that is recognised while the caller waits; longer recordings are batch jobs. */
export const MAX_SPEECH_BYTES = 25 * 1024 * 1024;

const Seconds = z.number().min(0).meta({ example: 1.25 });

export const SpeechHints = z.object({
	language: z
		.string()
		.regex(/^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/, "Not a language tag such as en or pt-BR")
		.optional()
		.meta({ description: "BCP 47 tag; detected when absent or `auto`", example: "en" }),
	prompt: z
		.string()
		.max(2000)
		.optional()
		.meta({ description: "What was said before, or what is talked about" }),
	operating_point: z.enum(["enhanced", "standard"]).optional(),
	additional_vocab: z
		.array(
			z.strictObject({
				content: z.string().trim().min(1).max(200),
				sounds_like: z.array(z.string().trim().min(1).max(200)).max(20).optional(),
			}),
		)
		.max(1000)
		.optional(),
});
export type SpeechHints = z.infer<typeof SpeechHints>;

/** A body without a file: the audio inline, or where it is. */
export const TranscribeSpeech = z
	.strictObject({
		audio: z.base64().optional().meta({ description: "The audio, base64", example: "UklGRg==" }),
		url: z.url().max(4096).optional().meta({ description: "Public https address of the audio" }),
		...SpeechHints.shape,
	})
	.check(({ value, issues }) => {
		const refuse = (path: string, message: string) =>
			issues.push({ code: "custom", path: [path], message, input: value });
		if (value.audio === undefined && value.url === undefined)
			refuse("audio", "Is required: send the audio in base64, as the file of a form, or its url");
		if (value.audio !== undefined && value.url !== undefined)
			refuse("url", "Not allowed with audio: send one of the two");
	})
	.meta({ id: "TranscribeSpeech" });
export type TranscribeSpeech = z.infer<typeof TranscribeSpeech>;

/** The same with the audio as a file of a form. Vocabulary is JSON text there. */
export const TranscribeSpeechForm = z
	.object({
		audio: z.string().meta({ format: "binary", description: "The audio file" }),
		...SpeechHints.shape,
	})
	.meta({ id: "TranscribeSpeechForm" });

export const SpeechWord = z
	.object({ word: z.string(), start: Seconds, end: Seconds, confidence: z.number().min(0).max(1).nullable() })
	.meta({ id: "SpeechWord" });

export const SpeechSegment = z
	.object({ id: z.int().min(0), start: Seconds, end: Seconds, text: z.string() })
	.meta({ id: "SpeechSegment" });

export const Transcription = z
	.object({
		text: z.string().meta({ example: "thank you for calling" }),
		language: z
			.string()
			.nullable()
			.meta({ description: "ISO 639 code, null when the engine does not say", example: "en" }),
		duration: Seconds.meta({ description: "Seconds of audio" }),
		model: z.string(),
		words: z.array(SpeechWord),
		segments: z.array(SpeechSegment),
		warnings: z.array(z.string()),
	})
	.meta({ id: "Transcription" });
export type Transcription = z.infer<typeof Transcription>;

export const OPENAI_FORMATS = ["json", "text", "srt", "verbose_json", "vtt"] as const;
export type OpenAiFormat = (typeof OPENAI_FORMATS)[number];

/** The fields of OpenAI's transcription form that mean something here; others are let by. */
export const OpenAiTranscriptionForm = z
	.object({
		file: z.string().meta({ format: "binary", description: "The audio file" }),
		model: z.string().min(1).max(200).meta({ example: "parley/pocketsphinx-en-us" }),
		language: SpeechHints.shape.language,
		prompt: SpeechHints.shape.prompt,
		response_format: z.enum(OPENAI_FORMATS).default("json"),
		"timestamp_granularities[]": z.array(z.enum(["word", "segment"])).default(["segment"]),
		stream: z.enum(["true", "false"]).default("false").meta({
			description: "Whether the text comes as server-sent events: one delta, once all of it is recognised",
		}),
	})
	.meta({ id: "OpenAiTranscriptionForm" });

const OpenAiUsage = z.object({ type: z.literal("duration"), seconds: z.int().min(0) });

export const OpenAiTranscription = z
	.object({ text: z.string(), usage: OpenAiUsage })
	.meta({ id: "OpenAiTranscription", description: "The answer of `response_format` json" });

export const OpenAiVerboseTranscription = z
	.object({
		task: z.literal("transcribe"),
		language: z.string().meta({ example: "english" }),
		duration: z.number(),
		text: z.string(),
		segments: z
			.array(
				z.object({
					id: z.int(),
					seek: z.int(),
					start: Seconds,
					end: Seconds,
					text: z.string(),
					tokens: z.array(z.int()),
					temperature: z.number(),
					avg_logprob: z.number(),
					compression_ratio: z.number(),
					no_speech_prob: z.number(),
				}),
			)
			.optional(),
		words: z.array(z.object({ word: z.string(), start: Seconds, end: Seconds })).optional(),
		usage: OpenAiUsage,
	})
	.meta({ id: "OpenAiVerboseTranscription" });
export type OpenAiVerboseTranscription = z.infer<typeof OpenAiVerboseTranscription>;

export const OpenAiModel = z
	.object({
		id: z.string().meta({ example: "parley/pocketsphinx-en-us" }),
		object: z.literal("model"),
		created: z.int(),
		owned_by: z.string(),
	})
	.meta({ id: "OpenAiModel" });
export type OpenAiModel = z.infer<typeof OpenAiModel>;

export const OpenAiModelList = z
	.object({ object: z.literal("list"), data: z.array(OpenAiModel) })
	.meta({ id: "OpenAiModelList" });
export type OpenAiModelList = z.infer<typeof OpenAiModelList>;

export const VoiceFormat = z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]);

const speaking = {
	voice: z.string().min(1).max(100).optional().meta({ description: "The model's first voice when absent" }),
	response_format: VoiceFormat.default("mp3"),
	speed: z.number().min(0.25).max(4).optional(),
	instructions: z.string().min(1).max(4096).optional().meta({ description: "How to speak, in words" }),
};

export const SynthesiseSpeech = z
	.strictObject({ text: z.string().min(1).max(100_000).meta({ example: "Hello there" }), ...speaking })
	.meta({ id: "SynthesiseSpeech" });
export type SynthesiseSpeech = z.infer<typeof SynthesiseSpeech>;

/** OpenAI's body; members that mean nothing here are let by. */
export const OpenAiSpeech = z
	.object({
		model: z.string().min(1).max(200),
		input: z.string().min(1).max(100_000).meta({ example: "Hello there" }),
		...speaking,
		voice: z.union([speaking.voice, z.object({ id: z.string() })]),
	})
	.meta({ id: "OpenAiSpeech" });
export type OpenAiSpeech = z.infer<typeof OpenAiSpeech>;
