import { readObject, readString } from "../../transport/read-json.ts";
import { languageError } from "../language-error.ts";
import type { WorkersAiChatSettings } from "../language-settings.ts";
import { fromChatAnswer } from "../openai-compatible/transform.ts";
import type { ChatRequest } from "../prompted/chat.ts";

/** Models of Meta take the schema bare, as Workers AI's JSON mode has it; newer ones take it with a name, as OpenAI has it. */
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

/** JSON mode answers with `{response}`, parsed or as text; newer models with OpenAI's choices. Throws EngineError. */
export function fromModelAnswer(answer: unknown): string {
	const body = readObject(answer);
	const response = body?.response;
	if (readObject(response)) return JSON.stringify(response);
	const text = readString(response) ?? readString(answer);
	if (text !== null) return text;
	if (body?.choices) return fromChatAnswer(body);
	throw languageError("engine_bad_response", `no response among ${Object.keys(body ?? {}).join(", ")}`);
}
