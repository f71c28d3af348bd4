import { fromBase64 } from "@parley/bytes/base64";
import { engineError } from "../../transport/engine-error.ts";
import type { SynthesisRequest } from "../voice-engine.ts";
import type { WorkersAiVoiceModel } from "./api.ts";

// Aura takes the codec and chooses the container, except for 16-bit samples in a WAV file.
const AURA_ENCODINGS = { mp3: "mp3", opus: "opus", aac: "aac", flac: "flac", wav: "linear16" } as const;

/** Builds the input of a voice model. */
export function toVoiceInput(
	model: WorkersAiVoiceModel,
	{ text, voice, format }: SynthesisRequest,
): Record<string, unknown> {
	if (model === "@cf/myshell-ai/melotts") return { prompt: text, lang: voice ?? "en" };
	return {
		text,
		...(voice && { speaker: voice }),
		encoding: AURA_ENCODINGS[format as keyof typeof AURA_ENCODINGS],
		...(format === "wav" && { container: "wav" }),
	};
}

/** Reads the audio of an answer. Aura answers with a stream, MeloTTS with `{audio: <base64>}`. @throws EngineError */
export function fromVoiceAnswer(answer: unknown): ReadableStream<Uint8Array> {
	if (answer instanceof ReadableStream) return answer;
	const audio = (answer as { audio?: unknown } | null)?.audio;
	if (typeof audio !== "string")
		throw engineError("engine_bad_response", "neither a stream nor base64 audio");
	const bytes = fromBase64(audio);
	return new Blob([bytes]).stream();
}
