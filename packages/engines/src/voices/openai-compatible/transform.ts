import type { SynthesisRequest, VoiceCapabilities } from "../voice-engine.ts";

/** Voice to ask for if neither the request nor the settings name one. */
const DEFAULT_VOICE = "alloy";

/** Builds the body of a speech request. */
export function toSpeechBody(
	model: string,
	{ voices }: VoiceCapabilities,
	{ text, voice, format, speed, instructions }: SynthesisRequest,
): Record<string, unknown> {
	return {
		model,
		input: text,
		voice: voice ?? (voices === "any" ? DEFAULT_VOICE : voices[0]),
		response_format: format,
		...(speed !== undefined && { speed }),
		...(instructions !== undefined && { instructions }),
	};
}
