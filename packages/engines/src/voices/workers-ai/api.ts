import type { VoiceCapabilities } from "../voice-engine.ts";

export const WORKERS_AI_VOICE_MODELS = ["@cf/deepgram/aura-1", "@cf/myshell-ai/melotts"] as const;

export type WorkersAiVoiceModel = (typeof WORKERS_AI_VOICE_MODELS)[number];

/** Names and capabilities of the voice models of Workers AI. */
export const WORKERS_AI_VOICES: Record<
	WorkersAiVoiceModel,
	{ name: string; capabilities: VoiceCapabilities }
> = {
	"@cf/deepgram/aura-1": {
		name: "Deepgram Aura 1",
		capabilities: {
			formats: ["mp3", "opus", "aac", "flac", "wav"],
			voices: [
				...["angus", "asteria", "arcas", "orion", "orpheus", "athena"],
				...["luna", "zeus", "perseus", "helios", "hera", "stella"],
			],
			languages: ["en"],
			maxCharacters: 2000,
		},
	},
	"@cf/myshell-ai/melotts": {
		name: "MeloTTS",
		capabilities: {
			formats: ["mp3"],
			voices: ["en", "es", "fr", "zh", "ja", "ko"],
			languages: ["en", "es", "fr", "zh", "ja", "ko"],
			maxCharacters: 2000,
		},
	},
};
