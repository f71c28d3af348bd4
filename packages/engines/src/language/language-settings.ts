import { z } from "zod";
import { Languages, openAiServer, readSettings } from "../settings.ts";
import { LANGUAGE_FEATURES } from "./language-engine.ts";
import { WORKERS_AI_CHAT_MODELS } from "./workers-ai/api.ts";

const common = {
	/** Code of the engine in transcripts. */
	code: z.string().min(1).max(200).optional(),
	/** Features to use. All by default. */
	features: z.array(z.enum(LANGUAGE_FEATURES)).min(1).optional(),
};

const Tag = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag");

const prompted = {
	...common,
	/** Languages of transcripts, and target languages of translations. */
	languages: Languages.default("any"),
	target_languages: z.union([z.literal("any"), z.array(Tag).min(1)]).default("any"),
	timeout_seconds: z.number().min(1).max(600).default(120),
	/** Maximum characters of transcript per request. */
	max_characters: z.int().min(500).max(500_000).default(12_000),
	temperature: z.number().min(0).max(2).optional(),
};

const OpenAiCompatible = z.strictObject({
	...openAiServer,
	...prompted,
	model: z.string().min(1).max(200),
	/** How to ask for JSON: by schema, as any object, or in the prompt only. */
	json_output: z.enum(["schema", "object", "prompt"]).default("schema"),
	max_output_tokens: z.int().positive().optional(),
});

const WorkersAi = z.strictObject({
	vendor: z.literal("workers-ai"),
	...prompted,
	model: z.enum(WORKERS_AI_CHAT_MODELS).default(WORKERS_AI_CHAT_MODELS[0]),
	max_output_tokens: z.int().positive().default(4096),
});

const Classical = z.strictObject({ vendor: z.literal("classical"), ...common });

const LanguageEngines = z.array(z.discriminatedUnion("vendor", [OpenAiCompatible, WorkersAi, Classical]));

export type LanguageEngineSettings = z.infer<typeof LanguageEngines>[number];
export type OpenAiChatSettings = z.infer<typeof OpenAiCompatible>;
export type WorkersAiChatSettings = z.infer<typeof WorkersAi>;

/** Parses `LANGUAGE_ENGINES`. @throws EngineSettingsError */
export const parseLanguageSettings = (text: string | undefined): LanguageEngineSettings[] =>
	readSettings("LANGUAGE_ENGINES", LanguageEngines, text);
