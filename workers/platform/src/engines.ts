import { createSpeechRegistry, type SpeechRegistry } from "@parley/engines/speech/speech-registry";
import { createVoiceRegistry, type VoiceRegistry } from "@parley/engines/voices/voice-registry";

export type Engines = { speech: SpeechRegistry; voices: VoiceRegistry };

const built = new Map<string, Engines>();

/** The engines that an environment's settings name, built once an isolate. */
export function enginesOf(env: Env): Engines {
	const settings = JSON.stringify([env.SPEECH_ENGINES, env.DEFAULT_MODEL, env.VOICE_ENGINES]);
	const known = built.get(settings);
	if (known) return known;
	const engines = { speech: createSpeechRegistry(env), voices: createVoiceRegistry(env) };
	built.set(settings, engines);
	return engines;
}
