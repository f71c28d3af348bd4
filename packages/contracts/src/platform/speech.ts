import { z } from "zod";

/** Largest audio that is transcribed while the caller waits. Longer recordings are batch jobs. */
export const MAX_SPEECH_BYTES = 25 * 1024 * 1024;

const Seconds = z.number().min(0);
const Start = Seconds.describe("Start in seconds from the beginning of the audio");
const End = Seconds.describe("End in seconds from the beginning of the audio");

export const SpeechHints = z.object({
	language: z
		.string()
		.regex(/^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/, "Not a language tag such as en or pt-BR")
		.optional()
		.meta({
			description: "Spoken language as a BCP 47 tag. Default: the engine detects it, as with `auto`.",
			example: "en",
		}),
	prompt: z
		.string()
		.max(2000)
		.optional()
		.meta({ description: "Text that came before, or a description of the subject" }),
	operating_point: z
		.enum(["enhanced", "standard"])
		.optional()
		.describe("Model variant of engines that have both. Default: `enhanced`."),
	additional_vocab: z
		.array(
			z.strictObject({
				content: z.string().trim().min(1).max(200).describe("Word or name as it is written"),
				sounds_like: z
					.array(z.string().trim().min(1).max(200))
					.max(20)
					.optional()
					.describe("Pronunciations, spelled as they sound"),
			}),
		)
		.max(1000)
		.optional()
		.describe("Words that the engine should expect, at most 1000"),
});
export type SpeechHints = z.infer<typeof SpeechHints>;

/** Body without a file: audio inline, or its URL. */
export const TranscribeSpeech = z
	.strictObject({
		audio: z.base64().optional().meta({ description: "Audio in base64 (RFC 4648)", example: "UklGRg==" }),
		url: z.url().max(4096).optional().meta({ description: "Public https URL of the audio" }),
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

/** The same with the audio as a file of a form. `additional_vocab` is JSON text there. */
export const TranscribeSpeechForm = z
	.object({
		audio: z.string().meta({ format: "binary", description: "Audio file, at most 25 MiB" }),
		...SpeechHints.shape,
	})
	.meta({ id: "TranscribeSpeechForm" });

export const SpeechWord = z
	.object({
		word: z.string().describe("The word"),
		start: Start,
		end: End,
		confidence: z
			.number()
			.min(0)
			.max(1)
			.nullable()
			.describe("Confidence of the engine, 0 to 1; null when it gives none"),
	})
	.meta({ id: "SpeechWord" });

export const SpeechSegment = z
	.object({
		id: z.int().min(0).describe("Number of the segment, from 0"),
		start: Start,
		end: End,
		text: z.string().describe("Text of the segment"),
	})
	.meta({ id: "SpeechSegment" });

export const Transcription = z
	.object({
		text: z.string().describe("The whole text").meta({ example: "thank you for calling" }),
		language: z
			.string()
			.nullable()
			.meta({ description: "ISO 639 code of the language; null when the engine gives none", example: "en" }),
		duration: Seconds.describe("Length of the audio in seconds"),
		model: z.string().describe("Code of the model that transcribed it"),
		words: z.array(SpeechWord).describe("Words in order of time"),
		segments: z.array(SpeechSegment).describe("Sentences or phrases in order of time"),
		warnings: z.array(z.string()).describe("What a reader should know, as sentences"),
	})
	.meta({ id: "Transcription" });
export type Transcription = z.infer<typeof Transcription>;

export const OPENAI_FORMATS = ["json", "text", "srt", "verbose_json", "vtt"] as const;
export type OpenAiFormat = (typeof OPENAI_FORMATS)[number];

/** Fields of OpenAI's transcription form that have a meaning here. Others are ignored. */
export const OpenAiTranscriptionForm = z
	.object({
		file: z.string().meta({ format: "binary", description: "Audio file, at most 25 MiB" }),
		model: z
			.string()
			.min(1)
			.max(200)
			.describe("Code of the model; `whisper-1` is the default model of the deployment")
			.meta({ example: "parley/pocketsphinx-en-us" }),
		language: SpeechHints.shape.language,
		prompt: SpeechHints.shape.prompt,
		response_format: z
			.enum(OPENAI_FORMATS)
			.default("json")
			.describe("Format of the answer. Default: `json`."),
		"timestamp_granularities[]": z
			.array(z.enum(["word", "segment"]))
			.default(["segment"])
			.describe("Times in `verbose_json`: of words, of segments, or both. Default: `segment`."),
		stream: z
			.enum(["true", "false"])
			.default("false")
			.describe("Whether to answer with server-sent events: one delta, once all of it is recognised"),
	})
	.meta({ id: "OpenAiTranscriptionForm" });

const OpenAiUsage = z.object({
	type: z.literal("duration").describe("Unit of the use"),
	seconds: z.int().min(0).describe("Length of the audio in seconds, rounded up"),
});

export const OpenAiTranscription = z
	.object({ text: z.string().describe("The whole text"), usage: OpenAiUsage.describe("What is charged") })
	.meta({ id: "OpenAiTranscription", description: "Answer in `response_format` `json`" });

export const OpenAiVerboseTranscription = z
	.object({
		task: z.literal("transcribe").describe("Always this"),
		language: z.string().describe("English name of the language").meta({ example: "english" }),
		duration: z.number().describe("Length of the audio in seconds"),
		text: z.string().describe("The whole text"),
		segments: z
			.array(
				z.object({
					id: z.int().describe("Number of the segment, from 0"),
					seek: z.int().describe("Start in hundredths of a second"),
					start: Start,
					end: End,
					text: z.string().describe("Text of the segment"),
					tokens: z.array(z.int()).describe("Always empty"),
					temperature: z.number().describe("Always 0"),
					avg_logprob: z.number().describe("Always 0"),
					compression_ratio: z.number().describe("Always 1"),
					no_speech_prob: z.number().describe("Always 0"),
				}),
			)
			.optional()
			.describe("Sentences or phrases in order of time"),
		words: z
			.array(z.object({ word: z.string().describe("The word"), start: Start, end: End }))
			.optional()
			.describe("Words in order of time"),
		usage: OpenAiUsage.describe("What is charged"),
	})
	.meta({ id: "OpenAiVerboseTranscription", description: "Answer in `response_format` `verbose_json`" });
export type OpenAiVerboseTranscription = z.infer<typeof OpenAiVerboseTranscription>;

export const OpenAiModel = z
	.object({
		id: z.string().describe("Code of the model"),
		object: z.literal("model").describe("Always this"),
		created: z.int().describe("Always 0: engines do not tell when a model was made"),
		owned_by: z.string().describe("Code of the provider"),
	})
	.meta({
		id: "OpenAiModel",
		example: { id: "parley/pocketsphinx-en-us", object: "model", created: 0, owned_by: "parley" },
	});
export type OpenAiModel = z.infer<typeof OpenAiModel>;

export const OpenAiModelList = z
	.object({
		object: z.literal("list").describe("Always this"),
		data: z.array(OpenAiModel).describe("Models that this region offers"),
	})
	.meta({ id: "OpenAiModelList" });
export type OpenAiModelList = z.infer<typeof OpenAiModelList>;

export const VoiceFormat = z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]);

const speaking = {
	voice: z
		.string()
		.min(1)
		.max(100)
		.optional()
		.describe("Name of the voice. Default: the model's first voice."),
	response_format: VoiceFormat.default("mp3").describe("Format of the audio. Default: `mp3`."),
	speed: z.number().min(0.25).max(4).optional().describe("Factor of the speed, 0.25 to 4. Default: 1."),
	instructions: z.string().min(1).max(4096).optional().describe("How to speak, in words"),
};
const SpokenText = z
	.string()
	.min(1)
	.max(100_000)
	.describe("Text to speak, 1 to 100,000 characters; a model may take fewer")
	.meta({ example: "Your order will be sent on Monday." });

export const SynthesiseSpeech = z
	.strictObject({ text: SpokenText, ...speaking })
	.meta({ id: "SynthesiseSpeech" });
export type SynthesiseSpeech = z.infer<typeof SynthesiseSpeech>;

/** OpenAI's body. Members without a meaning here are ignored. */
export const OpenAiSpeech = z
	.object({
		model: z.string().min(1).max(200).describe("Code of the model").meta({ example: "openai/tts-1" }),
		input: SpokenText,
		...speaking,
		voice: z.union([speaking.voice, z.object({ id: z.string().describe("Name of the voice") })]),
	})
	.meta({ id: "OpenAiSpeech" });
export type OpenAiSpeech = z.infer<typeof OpenAiSpeech>;
