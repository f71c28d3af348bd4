import type { EngineFetch } from "../../transport/http.ts";
import { inLanguageTerms } from "../language-error.ts";
import type { OpenAiChatSettings } from "../language-settings.ts";
import type { Chat } from "../prompted/chat.ts";
import { postChat } from "./api.ts";
import { fromChatAnswer, toChatBody } from "./transform.ts";

/** A chat model behind OpenAI's chat completions: OpenAI, Groq, vLLM, Ollama and others. */
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
		return fromChatAnswer(await inLanguageTerms(call));
	};
}
