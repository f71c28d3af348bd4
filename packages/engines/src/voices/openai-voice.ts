import { callStream, type EngineFetch } from "../http.ts";
import { type OpenAiServer, postTo, secretsOf } from "../openai-server.ts";
import { VOICE_CONTENT_TYPES, type VoiceCapabilities, type VoiceEngine } from "./voice-engine.ts";

export type OpenAiVoice = OpenAiServer & {
	code: string;
	model: string;
	capabilities: VoiceCapabilities;
	timeoutSeconds: number;
};

const DEFAULT_VOICE = "alloy";
const MAX_REFUSAL_BYTES = 64 * 1024;

/** A voice behind OpenAI's `POST {base_url}/audio/speech`. */
export function openAiVoice(settings: OpenAiVoice, fetch: EngineFetch): VoiceEngine {
	const { voices } = settings.capabilities;
	return {
		code: settings.code,
		capabilities: settings.capabilities,
		async synthesise({ text, voice, format, speed, instructions, signal }) {
			const headers = { "content-type": "application/json" };
			const body = JSON.stringify({
				model: settings.model,
				input: text,
				voice: voice ?? (voices === "any" ? DEFAULT_VOICE : voices[0]),
				response_format: format,
				...(speed !== undefined && { speed }),
				...(instructions !== undefined && { instructions }),
			});
			const response = await callStream(fetch, postTo(settings, "/audio/speech", { headers, body }), {
				deadlineMs: settings.timeoutSeconds * 1000,
				maxResponseBytes: MAX_REFUSAL_BYTES,
				signal,
				secrets: secretsOf(settings),
			});
			return {
				body: response.body as ReadableStream<Uint8Array>,
				contentType: VOICE_CONTENT_TYPES[format],
			};
		},
	};
}
