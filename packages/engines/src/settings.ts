import { z } from "zod";

/** The deployment's engine settings are wrong; `message` says where and why. */
export class EngineSettingsError extends Error {
	override readonly name = "EngineSettingsError";
}

const FORMATS = ["wav", "mp3", "flac", "aac", "ogg", "m4a", "mp4", "webm", "amr", "mpeg"] as const;

const Code = z
	.string()
	.max(200)
	.regex(/^[@A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/, "holds letters, digits and ._:/- only");

const Model = z.strictObject({
	code: Code,
	/** The server's own name for it. */
	model: z.string().min(1).max(200),
	name: z.string().min(1).max(200).optional(),
	languages: z.union([z.literal("any"), z.array(z.string().regex(/^[a-z]{2,3}$/)).min(1)]).optional(),
	formats: z.array(z.enum(FORMATS)).min(1).optional(),
	max_bytes: z.int().positive().optional(),
	/** The server takes `additional_vocab` as a field of its own; else vocabulary goes into the prompt. */
	accepts_vocabulary: z.boolean().optional(),
	response_format: z.enum(["verbose_json", "json", "diarized_json"]).optional(),
	/** Other models of the same server for an operating point. */
	operating_points: z
		.strictObject({ enhanced: z.string().min(1).optional(), standard: z.string().min(1).optional() })
		.optional(),
	pricing: z
		.strictObject({ unit: z.literal("audio_second"), min_price: z.number().nonnegative() })
		.optional(),
	/** Code of the model that takes over where this one's server cannot be used. */
	fallback: Code.optional(),
});

const OpenAiCompatible = z.strictObject({
	vendor: z.literal("openai-compatible"),
	base_url: z.url({ protocol: /^https?$/, error: "is not an http or https address" }),
	/** Name of the environment secret that holds the key. */
	api_key_secret: z.string().min(1).optional(),
	provider: z.strictObject({ code: z.string().min(1), name: z.string().min(1) }).optional(),
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
					model: z.enum(["@cf/openai/whisper-large-v3-turbo", "@cf/deepgram/nova-3"]),
				}),
		)
		.min(1)
		.optional(),
});

const SpeechEngines = z.array(z.discriminatedUnion("vendor", [OpenAiCompatible, WorkersAi]));

export type ModelSettings = z.infer<typeof Model>;
export type EngineSettings = z.infer<typeof SpeechEngines>[number];

/** Reads the text of `SPEECH_ENGINES`; unset or empty means no engine. Throws EngineSettingsError. */
export function parseEngineSettings(text: string | undefined): EngineSettings[] {
	if (!text?.trim()) return [];
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new EngineSettingsError(`SPEECH_ENGINES is not JSON: ${(error as Error).message}`);
	}
	const parsed = SpeechEngines.safeParse(json);
	if (parsed.success) return parsed.data;
	const faults = parsed.error.issues.map((issue) => {
		const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
		return `SPEECH_ENGINES${path}: ${issue.message}`;
	});
	throw new EngineSettingsError(faults.join("; "));
}
