import { z } from "zod";
import { Languages, ModelCode, openAiModels, readSettings } from "../settings.ts";
import { WORKERS_AI_SPEECH_MODELS } from "./workers-ai/api.ts";

const FORMATS = ["wav", "mp3", "flac", "aac", "ogg", "m4a", "mp4", "webm", "amr", "mpeg"] as const;

const Model = z.strictObject({
	code: ModelCode,
	/** Name of the model on the server. */
	model: z.string().min(1).max(200),
	name: z.string().min(1).max(200).optional(),
	languages: Languages.optional(),
	formats: z.array(z.enum(FORMATS)).min(1).optional(),
	max_bytes: z.int().positive().optional(),
	/** True if the server accepts `additional_vocab` as a field. Otherwise the vocabulary is added to the prompt. */
	accepts_vocabulary: z.boolean().optional(),
	response_format: z.enum(["verbose_json", "json", "diarized_json"]).optional(),
	/** Other models of the same server for the operating points. */
	operating_points: z
		.strictObject({ enhanced: z.string().min(1).optional(), standard: z.string().min(1).optional() })
		.optional(),
	pricing: z
		.strictObject({ unit: z.literal("audio_second"), min_price: z.number().nonnegative() })
		.optional(),
	/** Code of the model to use if this one's server fails. */
	fallback: ModelCode.optional(),
});

const OpenAiCompatible = z.strictObject({
	...openAiModels,
	timeout_seconds: z.number().min(1).max(900).optional(),
	models: z.array(Model).min(1),
});

const WorkersAi = z.strictObject({
	vendor: z.literal("workers-ai"),
	timeout_seconds: z.number().min(1).max(900).optional(),
	models: z
		.array(
			Model.pick({ code: true, name: true, languages: true, pricing: true, fallback: true })
				.partial({ code: true })
				.extend({
					model: z.enum(WORKERS_AI_SPEECH_MODELS),
				}),
		)
		.min(1)
		.optional(),
});

const SpeechEngines = z.array(z.discriminatedUnion("vendor", [OpenAiCompatible, WorkersAi]));

export type ModelSettings = z.infer<typeof Model>;
export type SpeechEngineSettings = z.infer<typeof SpeechEngines>[number];

/** Parses `SPEECH_ENGINES`. @throws EngineSettingsError */
export const parseSpeechSettings = (text: string | undefined): SpeechEngineSettings[] =>
	readSettings("SPEECH_ENGINES", SpeechEngines, text);
