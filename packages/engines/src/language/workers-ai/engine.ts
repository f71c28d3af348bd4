import { EngineError } from "../../transport/engine-error.ts";
import { readAiBinding, runModel } from "../../transport/workers-ai.ts";
import { languageError, withLanguageErrors } from "../language-error.ts";
import type { WorkersAiChatSettings } from "../language-settings.ts";
import type { Chat } from "../prompted/chat.ts";
import { fromModelResponse, toModelInput } from "./transform.ts";

/** Creates a chat for a model of Workers AI, which runs through the `AI` binding. */
export function workersAiChat(settings: WorkersAiChatSettings, binding: unknown): Chat {
	const ai = readAiBinding("LANGUAGE_ENGINES", binding);
	return async (request) => {
		const limits = { deadlineMs: settings.timeout_seconds * 1000, signal: request.signal };
		const run = runModel(ai, settings.model, toModelInput(settings, request), limits);
		return fromModelResponse(await withLanguageErrors(run).catch(rethrowSchemaError));
	};
}

/** Rethrows a call that failed because the model did not keep to the schema, which has no error code, as a bad response. */
function rethrowSchemaError(error: unknown): never {
	if (error instanceof EngineError && /JSON Mode couldn't be met/i.test(error.detail ?? ""))
		throw languageError("engine_bad_response", error.detail ?? "", { cause: error });
	throw error;
}
