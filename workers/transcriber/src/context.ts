import { type Database, openDatabase } from "@parley/db/client";
import { createEngineRegistry, type EngineRegistry } from "@parley/engines/registry";

/** What every verb of the pipeline gets, whether a message, the cron or a dead letter called it. */
export type Ctx = {
	env: Env;
	db: Database;
	/** Built when first asked for: wrong engine settings must not keep the sweeper from its work. */
	engines: () => EngineRegistry;
	clock: () => Date;
	/** In [0, 1). */
	random: () => number;
	fetch: typeof globalThis.fetch;
};

/** @param deps what a test puts in place of the real ones. */
export function createContext(env: Env, deps: Partial<Ctx> = {}): Ctx {
	const fetch: Ctx["fetch"] = deps.fetch ?? ((...args) => globalThis.fetch(...args));
	let registry: EngineRegistry | undefined;
	return {
		env,
		db: openDatabase(env.DB),
		engines: () => (registry ??= createEngineRegistry(env, { fetch: (request) => fetch(request) })),
		clock: () => new Date(),
		random: Math.random,
		...deps,
		fetch,
	};
}
