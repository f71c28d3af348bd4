import { z } from "zod";

/** The deployment's engine settings are wrong; `message` says where and why. */
export class EngineSettingsError extends Error {
	override readonly name = "EngineSettingsError";
}

/** What a model is called in requests. */
export const ModelCode = z
	.string()
	.max(200)
	.regex(/^[@A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/, "holds letters, digits and ._:/- only");

/** ISO 639 codes. */
export const Languages = z.union([z.literal("any"), z.array(z.string().regex(/^[a-z]{2,3}$/)).min(1)]);

/** A server that speaks OpenAI's protocol. */
export const openAiServer = {
	vendor: z.literal("openai-compatible"),
	base_url: z.url({ protocol: /^https?$/, error: "is not an http or https address" }),
	/** Name of the environment secret that holds the key. */
	api_key_secret: z.string().min(1).optional(),
};

/** One whose models the catalog lists. */
export const openAiModels = {
	...openAiServer,
	provider: z.strictObject({ code: z.string().min(1), name: z.string().min(1) }).optional(),
};

/**
 * Reads the text of a setting, which is a JSON list of engines; unset or empty means none.
 * @throws EngineSettingsError naming each place that is wrong.
 */
export function readSettings<T>(setting: string, engines: z.ZodType<T[]>, text: string | undefined): T[] {
	if (!text?.trim()) return [];
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new EngineSettingsError(`${setting} is not JSON: ${(error as Error).message}`);
	}
	const parsed = engines.safeParse(json);
	if (parsed.success) return parsed.data;
	const faults = parsed.error.issues.map((issue) => {
		const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
		return `${setting}${path}: ${issue.message}`;
	});
	throw new EngineSettingsError(faults.join("; "));
}

/** The key that an engine's `api_key_secret` names; undefined when it names none. Throws EngineSettingsError. */
export function readApiKey(setting: string, env: object, name: string | undefined): string | undefined {
	if (name === undefined) return undefined;
	const value = (env as Record<string, unknown>)[name];
	if (typeof value === "string" && value) return value;
	throw new EngineSettingsError(`${setting} wants the secret ${name}, which is not set`);
}
