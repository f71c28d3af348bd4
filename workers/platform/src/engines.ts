import { createEngineRegistry, type EngineRegistry } from "@parley/engines/registry";
import { createVoiceRegistry, type VoiceRegistry } from "@parley/engines/voices/voice-registry";

export type Engines = { speech: EngineRegistry; voices: VoiceRegistry };

const built = new Map<string, Engines>();

/** The engines that an environment's settings name, built once an isolate. */
export function enginesOf(env: Env): Engines {
	const settings = JSON.stringify([env.SPEECH_ENGINES, env.DEFAULT_MODEL, env.VOICE_ENGINES]);
	const known = built.get(settings);
	if (known) return known;
	const engines = { speech: createEngineRegistry(env), voices: createVoiceRegistry(env) };
	built.set(settings, engines);
	return engines;
}
