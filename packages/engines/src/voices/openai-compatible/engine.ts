import type { EngineFetch } from "../../transport/http.ts";
import type { OpenAiServer } from "../../transport/openai-server.ts";
import { VOICE_CONTENT_TYPES, type VoiceCapabilities, type VoiceEngine } from "../voice-engine.ts";
import { postSpeech } from "./api.ts";
import { toSpeechBody } from "./transform.ts";

export type OpenAiVoice = OpenAiServer & {
	code: string;
	model: string;
	capabilities: VoiceCapabilities;
	timeoutSeconds: number;
};

/** Creates an engine for a server with OpenAI's speech endpoint. */
export function openAiVoice(settings: OpenAiVoice, fetch: EngineFetch): VoiceEngine {
	const { code, model, capabilities, baseUrl, apiKey } = settings;
	return {
		code,
		capabilities,
		async synthesise(request) {
			const response = await postSpeech(fetch, {
				baseUrl,
				apiKey,
				body: toSpeechBody(model, capabilities, request),
				deadlineMs: settings.timeoutSeconds * 1000,
				signal: request.signal,
			});
			return {
				body: response.body as ReadableStream<Uint8Array>,
				contentType: VOICE_CONTENT_TYPES[request.format],
			};
		},
	};
}
