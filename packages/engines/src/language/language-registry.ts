import { readApiKey } from "../settings.ts";
import type { EngineFetch } from "../transport/http.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { classicalEngine } from "./classical/engine.ts";
import { type Extra, whyNot } from "./extras.ts";
import type { LanguageEngine } from "./language-engine.ts";
import { type LanguageEngineSettings, parseLanguageSettings } from "./language-settings.ts";
import { openAiChat } from "./openai-compatible/engine.ts";
import type { Chat } from "./prompted/chat.ts";
import { promptedEngine } from "./prompted/prompted-engine.ts";
import { workersAiChat } from "./workers-ai/engine.ts";

/** Environment of the registry. Secrets are looked up by the names in the settings. */
export type LanguageEnv = { LANGUAGE_ENGINES?: string; AI?: unknown };

export type LanguageRegistry = {
	/** Engines in the order of the settings. */
	engines: readonly LanguageEngine[];
	/** Finds the first engine that can make the extra from a transcript in this language. */
	find(extra: Extra, language: string): LanguageEngine | undefined;
};

export type LanguageDeps = {
	fetch?: EngineFetch;
	/** Wraps each call of a model, for retries. */
	around?: <T>(exchange: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
};

/** Creates the language engines of the deployment from `LANGUAGE_ENGINES`. @throws EngineSettingsError */
export function createLanguageRegistry(env: LanguageEnv, deps: LanguageDeps = {}): LanguageRegistry {
	const engines = parseLanguageSettings(env.LANGUAGE_ENGINES).map((settings) =>
		toEngine(settings, env, deps),
	);
	return {
		engines,
		find: (extra, language) => engines.find(({ capabilities }) => !whyNot(capabilities, extra, language)),
	};
}

function toEngine(settings: LanguageEngineSettings, env: LanguageEnv, deps: LanguageDeps): LanguageEngine {
	const can = capabilitiesOf(settings);
	if (settings.vendor === "classical") return classicalEngine(settings.code ?? "parley/classical", can);
	const exchange = chatOf(settings, env, deps.fetch ?? ((request) => globalThis.fetch(request)));
	const chat: Chat = (request) =>
		deps.around ? deps.around(() => exchange(request), request.signal) : exchange(request);
	return promptedEngine(settings.code ?? settings.model, can, {
		chat,
		maxCharacters: settings.max_characters,
	});
}

function chatOf(
	settings: Exclude<LanguageEngineSettings, { vendor: "classical" }>,
	env: LanguageEnv,
	fetch: EngineFetch,
): Chat {
	if (settings.vendor === "workers-ai") return workersAiChat(settings, env.AI);
	return openAiChat(settings, readApiKey("LANGUAGE_ENGINES", env, settings.api_key_secret), fetch);
}
