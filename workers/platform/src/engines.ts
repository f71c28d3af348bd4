import { createEngineRegistry, type EngineRegistry } from "@parley/engines/registry";

const registries = new Map<string, EngineRegistry>();

/** The speech engines that an environment's settings name, built once an isolate. */
export function enginesOf(env: Env): EngineRegistry {
	const settings = `${env.SPEECH_ENGINES}\n${env.DEFAULT_MODEL}`;
	const known = registries.get(settings);
	if (known) return known;
	const registry = createEngineRegistry(env);
	registries.set(settings, registry);
	return registry;
}
