import { EngineError } from "../../transport/engine-error.ts";
import { readAiBinding, runModel } from "../../transport/workers-ai.ts";
import { inLanguageTerms, languageError } from "../language-error.ts";
import type { WorkersAiChatSettings } from "../language-settings.ts";
import type { Chat } from "../prompted/chat.ts";
import { fromModelAnswer, toModelInput } from "./transform.ts";

/** A chat model of Workers AI, through the `AI` binding. */
export function workersAiChat(settings: WorkersAiChatSettings, binding: unknown): Chat {
	const ai = readAiBinding("LANGUAGE_ENGINES", binding);
	return async (request) => {
		const limits = { deadlineMs: settings.timeout_seconds * 1000, signal: request.signal };
		const run = runModel(ai, settings.model, toModelInput(settings, request), limits);
		return fromModelAnswer(await inLanguageTerms(run).catch(rethrowAsAnswer));
	};
}

/** That a model could not keep to the schema comes as an error of the call, without a code. */
function rethrowAsAnswer(error: unknown): never {
	if (error instanceof EngineError && /JSON Mode couldn't be met/i.test(error.detail ?? ""))
		throw languageError("engine_bad_response", error.detail ?? "", { cause: error });
	throw error;
}
