import { logError } from "@parley/context/log";
import { type Database, openDatabase } from "@parley/db/client";
import { createLanguageRegistry, type LanguageRegistry } from "@parley/engines/language/language-registry";
import { createSpeechRegistry, type SpeechRegistry } from "@parley/engines/speech/speech-registry";
import { type OnRetry, withRetries } from "./with-retries.ts";

/** Dependencies of every function of the pipeline, for messages, the cron and dead letters alike. */
export type Ctx = {
	env: Env;
	db: Database;
	/** Built on first use, because the sweeper must work with wrong engine settings. */
	engines: () => SpeechRegistry;
	/** @param onRetry called before each retry. */
	languageEngines: (onRetry: OnRetry) => LanguageRegistry;
	clock: () => Date;
	/** In [0, 1). */
	random: () => number;
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	fetch: typeof globalThis.fetch;
	/** Runs work that the pipeline does not wait for. */
	defer: (work: Promise<unknown>) => void;
};

/** @param deps replacements for tests. */
export function createContext(env: Env, deps: Partial<Ctx> = {}): Ctx {
	const fetch: Ctx["fetch"] = deps.fetch ?? ((...args) => globalThis.fetch(...args));
	let registry: SpeechRegistry | undefined;
	const ctx: Ctx = {
		env,
		db: openDatabase(env.DB),
		engines: () => (registry ??= createSpeechRegistry(env, { fetch: (request) => fetch(request) })),
		languageEngines: (onRetry) =>
			createLanguageRegistry(env, {
				fetch: (request) => fetch(request),
				around: withRetries(ctx, onRetry),
			}),
		clock: () => new Date(),
		random: Math.random,
		sleep: (ms, signal) => scheduler.wait(ms, signal && { signal }),
		defer: (work) => void work.catch((error) => logError("DEFERRED_WORK", error)),
		...deps,
		fetch,
	};
	return ctx;
}
