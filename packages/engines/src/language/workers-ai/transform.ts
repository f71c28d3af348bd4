import { readObject, readString } from "../../transport/read-json.ts";
import { languageError } from "../language-error.ts";
import type { WorkersAiChatSettings } from "../language-settings.ts";
import { fromChatResponse } from "../openai-compatible/transform.ts";
import type { ChatRequest } from "../prompted/chat.ts";

/** Builds the input of a model. Models of Meta take a bare schema, as in Workers AI's JSON mode; newer ones take a named one, as in OpenAI's API. */
export function toModelInput(
	{ model, temperature, max_output_tokens }: WorkersAiChatSettings,
	{ messages, schemaName, schema }: ChatRequest,
): Record<string, unknown> {
	const bare = model.startsWith("@cf/meta/");
	const json_schema = bare ? schema : { name: schemaName, strict: true, schema };
	return {
		messages,
		response_format: { type: "json_schema", json_schema },
		...(bare ? { max_tokens: max_output_tokens } : { max_completion_tokens: max_output_tokens }),
		...(temperature !== undefined && { temperature }),
	};
}

/** Reads a response: `{response}` of JSON mode, parsed or as text, or OpenAI's choices of newer models. @throws EngineError */
export function fromModelResponse(answer: unknown): string {
	const body = readObject(answer);
	const response = body?.response;
	if (readObject(response)) return JSON.stringify(response);
	const text = readString(response) ?? readString(answer);
	if (text !== null) return text;
	if (body?.choices) return fromChatResponse(body);
	throw languageError("engine_bad_response", `no response among ${Object.keys(body ?? {}).join(", ")}`);
}
