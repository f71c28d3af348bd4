import { z } from "zod";
import { EngineSettingsError } from "../settings.ts";
import { VOICE_FORMATS } from "./voice-engine.ts";

const Code = z
	.string()
	.max(200)
	.regex(/^[@A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/, "holds letters, digits and ._:/- only");

const common = {
	code: Code,
	name: z.string().min(1).max(200).optional(),
	voices: z.array(z.string().min(1).max(100)).min(1).optional(),
	languages: z.union([z.literal("any"), z.array(z.string().regex(/^[a-z]{2,3}$/)).min(1)]).optional(),
	pricing: z.strictObject({ unit: z.literal("character"), min_price: z.number().nonnegative() }).optional(),
};

const OpenAiCompatible = z.strictObject({
	vendor: z.literal("openai-compatible"),
	base_url: z.url({ protocol: /^https?$/, error: "is not an http or https address" }),
	/** Name of the environment secret that holds the key. */
	api_key_secret: z.string().min(1).optional(),
	provider: z.strictObject({ code: z.string().min(1), name: z.string().min(1) }).optional(),
	timeout_seconds: z.number().min(1).max(900).default(120),
	models: z
		.array(
			z.strictObject({
				...common,
				/** The server's own name for it. */
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
				code: Code.optional(),
				model: z.enum(["@cf/deepgram/aura-1", "@cf/myshell-ai/melotts"]),
			}),
		)
		.min(1),
});

const VoiceEngines = z.array(z.discriminatedUnion("vendor", [OpenAiCompatible, WorkersAi]));

export type VoiceSettings = z.infer<typeof VoiceEngines>[number];
export type OpenAiVoiceSettings = z.infer<typeof OpenAiCompatible>;

/** Reads the text of `VOICE_ENGINES`; unset or empty means no engine. Throws EngineSettingsError. */
export function parseVoiceSettings(text: string | undefined): VoiceSettings[] {
	if (!text?.trim()) return [];
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new EngineSettingsError(`VOICE_ENGINES is not JSON: ${(error as Error).message}`);
	}
	const parsed = VoiceEngines.safeParse(json);
	if (parsed.success) return parsed.data;
	throw new EngineSettingsError(`VOICE_ENGINES: ${z.prettifyError(parsed.error)}`);
}
