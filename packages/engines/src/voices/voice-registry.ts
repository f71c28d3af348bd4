import { EngineSettingsError, readApiKey } from "../settings.ts";
import type { EngineFetch } from "../transport/http.ts";
import { openAiVoice } from "./openai-compatible/engine.ts";
import { VOICE_FORMATS, type VoiceCapabilities, type VoiceEngine } from "./voice-engine.ts";
import { type OpenAiVoiceSettings, parseVoiceSettings, type VoiceSettings } from "./voice-settings.ts";
import { WORKERS_AI_VOICES } from "./workers-ai/api.ts";
import { workersAiVoice } from "./workers-ai/engine.ts";

/** Environment of the registry. Secrets are looked up by the names in the settings. */
export type VoiceEnv = { VOICE_ENGINES?: string; AI?: unknown };

/** A voice model in the catalog. */
export type VoiceInfo = {
	code: string;
	name: string;
	service_type: "text_to_speech";
	provider: { code: string; name: string };
	capabilities: string[];
	/** ISO 639 codes, or `["any"]`. */
	languages: string[];
	pricing: { unit: "character"; min_price: number } | null;
	is_default: boolean;
};

export type VoiceRegistry = {
	/** Models in the order of the settings. The first is the default. */
	models(): VoiceInfo[];
	find(code: string): VoiceEngine | undefined;
};

type Entry = { engine: VoiceEngine; info: Omit<VoiceInfo, "is_default"> };
type Describable = { code: string; name?: string | undefined; pricing?: VoiceInfo["pricing"] | undefined };

/** The voices of this deployment, from `VOICE_ENGINES` (JSON). Empty when nothing is configured. Throws EngineSettingsError. */
export function createVoiceRegistry(env: VoiceEnv, deps: { fetch?: EngineFetch } = {}): VoiceRegistry {
	const fetch = deps.fetch ?? ((request) => globalThis.fetch(request));
	const entries = new Map<string, Entry>();
	for (const entry of parseVoiceSettings(env.VOICE_ENGINES).flatMap((one) => entriesOf(one, env, fetch))) {
		if (entries.has(entry.info.code))
			throw new EngineSettingsError(`VOICE_ENGINES defines the model code ${entry.info.code} twice`);
		entries.set(entry.info.code, entry);
	}
	return {
		models: () => [...entries.values()].map(({ info }, index) => ({ ...info, is_default: index === 0 })),
		find: (code) => entries.get(code)?.engine,
	};
}

function entriesOf(settings: VoiceSettings, env: VoiceEnv, fetch: EngineFetch): Entry[] {
	if (settings.vendor === "openai-compatible") return openAiEntries(settings, env, fetch);
	return settings.models.map((model) => {
		const known = WORKERS_AI_VOICES[model.model];
		const code = model.code ?? model.model;
		const capabilities = {
			...known.capabilities,
			...(model.voices && { voices: model.voices }),
			...(model.languages && { languages: model.languages }),
		};
		const voice = { code, model: model.model, capabilities, timeoutSeconds: settings.timeout_seconds };
		const provider = { code: "cloudflare", name: "Cloudflare Workers AI" };
		const facts = { ...model, code, name: model.name ?? known.name };
		return { engine: workersAiVoice(voice, env.AI), info: toInfo(facts, provider, capabilities) };
	});
}

function openAiEntries(settings: OpenAiVoiceSettings, env: VoiceEnv, fetch: EngineFetch): Entry[] {
	const apiKey = readApiKey("VOICE_ENGINES", env, settings.api_key_secret);
	return settings.models.map((model) => {
		const capabilities: VoiceCapabilities = {
			formats: model.formats ?? VOICE_FORMATS,
			voices: model.voices ?? "any",
			languages: model.languages ?? "any",
			maxCharacters: model.max_characters,
			speed: true,
			...(model.accepts_instructions && { instructions: true }),
		};
		const engine = openAiVoice(
			{
				code: model.code,
				baseUrl: settings.base_url,
				apiKey,
				model: model.model,
				capabilities,
				timeoutSeconds: settings.timeout_seconds,
			},
			fetch,
		);
		const [prefix = model.code] = model.code.split("/", 1);
		const provider = settings.provider ?? { code: prefix, name: prefix };
		const facts = { ...model, name: model.name ?? model.model };
		return { engine, info: toInfo(facts, provider, capabilities) };
	});
}

function toInfo(
	{ code, name, pricing }: Describable,
	provider: VoiceInfo["provider"],
	can: VoiceCapabilities,
): Entry["info"] {
	const names = { speed: can.speed, instructions: can.instructions };
	return {
		code,
		name: name ?? code,
		service_type: "text_to_speech",
		provider,
		capabilities: Object.entries(names).flatMap(([capability, has]) => (has ? [capability] : [])),
		languages: can.languages === "any" ? ["any"] : [...can.languages],
		pricing: pricing ?? null,
	};
}
