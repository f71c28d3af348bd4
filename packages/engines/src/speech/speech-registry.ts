import { EngineSettingsError, readApiKey } from "../settings.ts";
import type { EngineFetch } from "../transport/http.ts";
import { openAiSpeechEngine } from "./openai-compatible/engine.ts";
import type { SpeechCapabilities, SpeechEngine } from "./speech-engine.ts";
import {
	capabilityNames,
	KNOWN_MODELS,
	type ModelFacts,
	type Pricing,
	UNKNOWN_MODEL,
} from "./speech-models.ts";
import { type ModelSettings, parseSpeechSettings, type SpeechEngineSettings } from "./speech-settings.ts";
import { WORKERS_AI_SPEECH_MODELS } from "./workers-ai/api.ts";
import { workersAiSpeechEngine } from "./workers-ai/engine.ts";

/** Environment of the registry. Secrets are looked up by the names in the settings. */
export type SpeechEnv = { SPEECH_ENGINES?: string; DEFAULT_MODEL?: string; AI?: unknown };

/** A speech model in the catalog. */
export type SpeechModelInfo = {
	code: string;
	name: string;
	service_type: "speech_to_text";
	provider: { code: string; name: string };
	capabilities: string[];
	/** ISO 639 codes, or `["any"]`. */
	languages: string[];
	streaming: boolean;
	batch: true;
	pricing: Pricing | null;
	is_default: boolean;
};

export type SpeechRegistry = {
	/** Models in the order of the settings. */
	models(): SpeechModelInfo[];
	find(code: string): SpeechEngine | undefined;
	/** Engines to use in turn if the engine of this code fails. */
	fallbacks(code: string): SpeechEngine[];
	/** Engine for jobs that name no model. Undefined if no engine is configured. */
	default(): SpeechEngine | undefined;
};

type Entry = {
	engine: SpeechEngine;
	info: Omit<SpeechModelInfo, "is_default">;
	fallback: string | undefined;
};

/**
 * Creates the speech engines of the deployment from `SPEECH_ENGINES` and `DEFAULT_MODEL`, which is the first model if unset. Call it once per
 * isolate.
 * @throws EngineSettingsError that names the invalid setting.
 */
export function createSpeechRegistry(env: SpeechEnv, deps: { fetch?: EngineFetch } = {}): SpeechRegistry {
	const fetch = deps.fetch ?? ((request) => globalThis.fetch(request));
	const entries = new Map<string, Entry>();
	for (const settings of parseSpeechSettings(env.SPEECH_ENGINES)) {
		for (const entry of entriesOf(settings, env, fetch)) {
			if (entries.has(entry.info.code)) {
				throw new EngineSettingsError(`SPEECH_ENGINES defines the model code ${entry.info.code} twice`);
			}
			entries.set(entry.info.code, entry);
		}
	}
	const chains = new Map([...entries.keys()].map((code) => [code, fallbacksOf(entries, code)]));
	const defaultCode = env.DEFAULT_MODEL || entries.keys().next().value;
	if (env.DEFAULT_MODEL && !entries.has(env.DEFAULT_MODEL)) {
		const codes = [...entries.keys()].join(", ") || "none";
		throw new EngineSettingsError(
			`DEFAULT_MODEL ${env.DEFAULT_MODEL} is not configured (configured: ${codes})`,
		);
	}
	return {
		models: () =>
			[...entries.values()].map(({ info }) => ({ ...info, is_default: info.code === defaultCode })),
		find: (code) => entries.get(code)?.engine,
		fallbacks: (code) => chains.get(code) ?? [],
		default: () => (defaultCode === undefined ? undefined : entries.get(defaultCode)?.engine),
	};
}

/** Returns the fallback of an entry, the fallback of that one, and so on. */
function fallbacksOf(entries: ReadonlyMap<string, Entry>, code: string): SpeechEngine[] {
	const codes = [code];
	const chain: SpeechEngine[] = [];
	for (let next = entries.get(code)?.fallback; next !== undefined; ) {
		const entry = entries.get(next);
		if (!entry)
			throw new EngineSettingsError(
				`SPEECH_ENGINES names the fallback ${next} of ${codes.at(-1)}, but defines no such model`,
			);
		if (codes.includes(next))
			throw new EngineSettingsError(`SPEECH_ENGINES has circular fallbacks: ${[...codes, next].join(", ")}`);
		codes.push(next);
		chain.push(entry.engine);
		next = entry.fallback;
	}
	return chain;
}

function entriesOf(settings: SpeechEngineSettings, env: SpeechEnv, fetch: EngineFetch): Entry[] {
	if (settings.vendor === "workers-ai") {
		const models =
			settings.models ??
			WORKERS_AI_SPEECH_MODELS.map((model) => ({ code: undefined, model, fallback: undefined }));
		return models.map((model) => {
			const facts = describe({ ...model, code: model.code ?? model.model });
			const { code, capabilities } = facts;
			const engine = workersAiSpeechEngine(
				{ code, model: model.model, capabilities, timeoutSeconds: settings.timeout_seconds },
				env.AI,
			);
			return { engine, info: toInfo(facts), fallback: model.fallback };
		});
	}
	const apiKey = readApiKey("SPEECH_ENGINES", env, settings.api_key_secret);
	return settings.models.map((model) => {
		const facts = describe(model, { ...settings, host: new URL(settings.base_url).hostname });
		const responseFormat = model.response_format ?? responseFormatOf(facts.capabilities);
		const engine = openAiSpeechEngine(
			{
				code: model.code,
				baseUrl: settings.base_url,
				apiKey,
				model: model.model,
				operatingPoints: model.operating_points,
				responseFormat,
				acceptsVocabulary:
					model.accepts_vocabulary ?? facts.capabilities.customVocabulary?.soundsLike === true,
				capabilities: facts.capabilities,
				timeoutSeconds: settings.timeout_seconds,
			},
			fetch,
		);
		return { engine, info: toInfo(facts), fallback: model.fallback };
	});
}

/** Chooses the response format. Models without word times reject `verbose_json`. */
function responseFormatOf(can: SpeechCapabilities): "verbose_json" | "json" | "diarized_json" {
	if (can.wordTimes) return "verbose_json";
	return can.diarization?.speaker ? "diarized_json" : "json";
}

/** Combines the known facts about a model with its settings, which take precedence. */
function describe(
	model: Partial<ModelSettings> & { code: string; model: string },
	server: { host?: string; provider?: { code: string; name: string } | undefined } = {},
): ModelFacts & { code: string } {
	const known = KNOWN_MODELS[model.model];
	const can: SpeechCapabilities = { ...(known?.capabilities ?? UNKNOWN_MODEL) };
	if (model.languages) can.languages = model.languages;
	if (model.formats) can.formats = model.formats;
	if (model.max_bytes) can.maxBytes = model.max_bytes;
	if (model.accepts_vocabulary) can.customVocabulary = { maxEntries: 1000, soundsLike: true };
	if (model.response_format === "diarized_json") {
		can.diarization = { speaker: true };
		delete can.customVocabulary;
	}
	if (model.response_format && model.response_format !== "verbose_json") delete can.wordTimes;
	const ownHost = known?.host === undefined || known.host === server.host;
	const prefix = model.code.split("/", 1)[0] ?? model.code;
	return {
		code: model.code,
		name: model.name ?? known?.name ?? model.model,
		provider: server.provider ?? (ownHost ? known?.provider : undefined) ?? { code: prefix, name: prefix },
		capabilities: can,
		streaming: known?.streaming ?? false,
		pricing: model.pricing ?? (ownHost ? known?.pricing : undefined) ?? null,
	};
}

function toInfo(facts: ModelFacts & { code: string }): Entry["info"] {
	const { languages } = facts.capabilities;
	return {
		code: facts.code,
		name: facts.name,
		service_type: "speech_to_text",
		provider: facts.provider,
		capabilities: capabilityNames(facts.capabilities),
		languages: languages === "any" ? ["any"] : [...languages],
		streaming: facts.streaming,
		batch: true,
		pricing: facts.pricing,
	};
}
