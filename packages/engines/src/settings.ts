import { z } from "zod";

/** An invalid engine setting of the deployment. `message` names the setting and the reason. */
export class EngineSettingsError extends Error {
	override readonly name = "EngineSettingsError";
}

/** Code of a model in requests. */
export const ModelCode = z
	.string()
	.max(200)
	.regex(/^[@A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/, "must contain only letters, digits and ._:/-");

/** ISO 639 codes, or "any". */
export const Languages = z.union([z.literal("any"), z.array(z.string().regex(/^[a-z]{2,3}$/)).min(1)]);

/** Settings of a server with an OpenAI-compatible API. */
export const openAiServer = {
	vendor: z.literal("openai-compatible"),
	base_url: z.url({ protocol: /^https?$/, error: "is not an http or https address" }),
	/** Name of the environment secret with the key. */
	api_key_secret: z.string().min(1).optional(),
};

/** Settings of a server whose models are in the catalog. */
export const openAiModels = {
	...openAiServer,
	provider: z.strictObject({ code: z.string().min(1), name: z.string().min(1) }).optional(),
};

/**
 * Reads a setting, which is a JSON list of engines. Unset or empty means none.
 * @throws EngineSettingsError that names each invalid value.
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
	const issues = parsed.error.issues.map((issue) => {
		const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
		return `${setting}${path}: ${issue.message}`;
	});
	throw new EngineSettingsError(issues.join("; "));
}

/** Returns the key that `api_key_secret` names, or undefined if it names none. @throws EngineSettingsError if the key is not set. */
export function readApiKey(setting: string, env: object, name: string | undefined): string | undefined {
	if (name === undefined) return undefined;
	const value = (env as Record<string, unknown>)[name];
	if (typeof value === "string" && value) return value;
	throw new EngineSettingsError(`${setting} names the secret ${name}, which is not set`);
}
