import { engineError } from "../engine-error.ts";
import { readAiBinding, runModel } from "../workers-ai/api.ts";
import { VOICE_CONTENT_TYPES, type VoiceCapabilities, type VoiceEngine } from "./voice-engine.ts";

export type WorkersAiVoiceModel = "@cf/deepgram/aura-1" | "@cf/myshell-ai/melotts";

/** What the models of Workers AI can do. */
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

// Aura names the codec; the container follows from it, except for 16-bit samples in a WAV file.
const AURA_ENCODINGS = { mp3: "mp3", opus: "opus", aac: "aac", flac: "flac", wav: "linear16" } as const;

/** A voice of Workers AI, through the `AI` binding. */
export function workersAiVoice(
	settings: {
		code: string;
		model: WorkersAiVoiceModel;
		capabilities: VoiceCapabilities;
		timeoutSeconds: number;
	},
	binding: unknown,
): VoiceEngine {
	const ai = readAiBinding("VOICE_ENGINES", binding);
	return {
		code: settings.code,
		capabilities: settings.capabilities,
		async synthesise({ text, voice, format, signal }) {
			const encoding = AURA_ENCODINGS[format as keyof typeof AURA_ENCODINGS];
			const input =
				settings.model === "@cf/deepgram/aura-1"
					? {
							text,
							...(voice && { speaker: voice }),
							encoding,
							...(format === "wav" && { container: "wav" }),
						}
					: { prompt: text, lang: voice ?? "en" };
			const limits = { deadlineMs: settings.timeoutSeconds * 1000, signal };
			const answer = await runModel(ai, settings.model, input, limits);
			return { body: toStream(answer), contentType: VOICE_CONTENT_TYPES[format] };
		},
	};
}

/** Aura answers with a stream, MeloTTS with `{audio: <base64>}`. */
function toStream(answer: unknown): ReadableStream<Uint8Array> {
	if (answer instanceof ReadableStream) return answer;
	const audio = (answer as { audio?: unknown } | null)?.audio;
	if (typeof audio !== "string")
		throw engineError("engine_bad_response", "neither a stream nor base64 audio");
	const bytes = Uint8Array.from(atob(audio), (character) => character.charCodeAt(0));
	return new Blob([bytes]).stream();
}
