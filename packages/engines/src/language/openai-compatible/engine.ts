import type { EngineFetch } from "../../transport/http.ts";
import { withLanguageErrors } from "../language-error.ts";
import type { OpenAiChatSettings } from "../language-settings.ts";
import type { Chat } from "../prompted/chat.ts";
import { postChat } from "./api.ts";
import { fromChatResponse, toChatBody } from "./transform.ts";

/** Creates a chat for a server with OpenAI's chat completions, such as OpenAI, Groq, vLLM or Ollama. */
export function openAiChat(
	settings: OpenAiChatSettings,
	apiKey: string | undefined,
	fetch: EngineFetch,
): Chat {
	return async (request) => {
		const call = postChat(fetch, {
			baseUrl: settings.base_url,
			apiKey,
			body: toChatBody(settings, request),
			deadlineMs: settings.timeout_seconds * 1000,
			signal: request.signal,
		});
		return fromChatResponse(await withLanguageErrors(call));
	};
}
