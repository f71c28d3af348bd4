import { createLanguageRegistry } from "@parley/engines/language/language-registry";
import { createSpeechRegistry } from "@parley/engines/speech/speech-registry";
import { createVoiceRegistry } from "@parley/engines/voices/voice-registry";
import type { Settings } from "./configs.ts";

/**
 * Reads the engines' settings as the workers will, so that a wrong one is told before anything is started or uploaded.
 * @param ai whether the workers will have Workers AI.
 * @returns the codes of the speech models, the default first.
 * @throws EngineSettingsError naming the place.
 */
export function checkEngineSettings(settings: Settings, { ai }: { ai: boolean }): string[] {
	const env = { ...settings, ...(ai && { AI: { run: () => undefined } }) };
	createLanguageRegistry(env);
	createVoiceRegistry(env);
	const models = createSpeechRegistry(env).models();
	return models.sort((a, b) => Number(b.is_default) - Number(a.is_default)).map(({ code }) => code);
}

/** The settings that make the offline engine at this address the default model. */
export function offlineEngine(url: string): Settings {
	const code = "parley/pocketsphinx-en-us";
	const engine = {
		vendor: "openai-compatible",
		base_url: `${url}/v1`,
		models: [{ code, model: "pocketsphinx-en-us", accepts_vocabulary: true }],
	};
	return { SPEECH_ENGINES: JSON.stringify([engine]), DEFAULT_MODEL: code };
}
