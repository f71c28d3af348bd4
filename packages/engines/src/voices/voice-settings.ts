import { z } from "zod";
import { Languages, ModelCode, openAiModels, readSettings } from "../settings.ts";
import { VOICE_FORMATS } from "./voice-engine.ts";
import { WORKERS_AI_VOICE_MODELS } from "./workers-ai/api.ts";

const common = {
	code: ModelCode,
	name: z.string().min(1).max(200).optional(),
	voices: z.array(z.string().min(1).max(100)).min(1).optional(),
	languages: Languages.optional(),
	pricing: z.strictObject({ unit: z.literal("character"), min_price: z.number().nonnegative() }).optional(),
};

const OpenAiCompatible = z.strictObject({
	...openAiModels,
	timeout_seconds: z.number().min(1).max(900).default(120),
	models: z
		.array(
			z.strictObject({
				...common,
				/** Name of the model on the server. */
				model: z.string().min(1).max(200),
				formats: z.array(z.enum(VOICE_FORMATS)).min(1).optional(),
				max_characters: z.int().positive().default(4096),
				accepts_instructions: z.boolean().default(false),
			}),
		)
		.min(1),
});

const WorkersAi = z.strictObject({
	vendor: z.literal("workers-ai"),
	timeout_seconds: z.number().min(1).max(900).default(120),
	models: z
		.array(
			z.strictObject({
				...common,
				code: ModelCode.optional(),
				model: z.enum(WORKERS_AI_VOICE_MODELS),
			}),
		)
		.min(1),
});

const VoiceEngines = z.array(z.discriminatedUnion("vendor", [OpenAiCompatible, WorkersAi]));

export type VoiceSettings = z.infer<typeof VoiceEngines>[number];
export type OpenAiVoiceSettings = z.infer<typeof OpenAiCompatible>;

/** Parses `VOICE_ENGINES`. @throws EngineSettingsError */
export const parseVoiceSettings = (text: string | undefined): VoiceSettings[] =>
	readSettings("VOICE_ENGINES", VoiceEngines, text);
