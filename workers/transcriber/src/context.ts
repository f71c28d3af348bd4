import { type Database, openDatabase } from "@parley/db/client";
import { createLanguageRegistry, type LanguageRegistry } from "@parley/engines/language/language-registry";
import { createSpeechRegistry, type SpeechRegistry } from "@parley/engines/speech/speech-registry";
import { type OnSetback, persist } from "./extras/persist.ts";

/** What every verb of the pipeline gets, whether a message, the cron or a dead letter called it. */
export type Ctx = {
	env: Env;
	db: Database;
	/** Built when first asked for: wrong engine settings must not keep the sweeper from its work. */
	engines: () => SpeechRegistry;
	/** @param onSetback told of what they try again. */
	languageEngines: (onSetback: OnSetback) => LanguageRegistry;
	clock: () => Date;
	/** In [0, 1). */
	random: () => number;
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	fetch: typeof globalThis.fetch;
};

/** @param deps what a test puts in place of the real ones. */
export function createContext(env: Env, deps: Partial<Ctx> = {}): Ctx {
	const fetch: Ctx["fetch"] = deps.fetch ?? ((...args) => globalThis.fetch(...args));
	let registry: SpeechRegistry | undefined;
	const ctx: Ctx = {
		env,
		db: openDatabase(env.DB),
		engines: () => (registry ??= createSpeechRegistry(env, { fetch: (request) => fetch(request) })),
		languageEngines: (onSetback) =>
			createLanguageRegistry(env, {
				fetch: (request) => fetch(request),
				around: persist(ctx, onSetback),
			}),
		clock: () => new Date(),
		random: Math.random,
		sleep: (ms, signal) => scheduler.wait(ms, signal && { signal }),
		...deps,
		fetch,
	};
	return ctx;
}
