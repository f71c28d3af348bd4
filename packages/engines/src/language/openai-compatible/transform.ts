import { readObject, readObjects, readString } from "../../transport/read-json.ts";
import { languageError } from "../language-error.ts";
import type { OpenAiChatSettings } from "../language-settings.ts";
import type { ChatMessage, ChatRequest } from "../prompted/chat.ts";

/** Builds the body of a chat completion. For servers without JSON schemas, the prompt contains the schema. */
export function toChatBody(
	settings: Pick<OpenAiChatSettings, "model" | "json_output" | "temperature" | "max_output_tokens">,
	{ messages, schemaName, schema }: ChatRequest,
): Record<string, unknown> {
	const { model, json_output, temperature, max_output_tokens } = settings;
	const body = {
		model,
		stream: false,
		...(temperature !== undefined && { temperature }),
		...(max_output_tokens !== undefined && { max_completion_tokens: max_output_tokens }),
	};
	if (json_output === "schema")
		return {
			...body,
			messages,
			response_format: { type: "json_schema", json_schema: { name: schemaName, strict: true, schema } },
		};
	return {
		...body,
		messages: withSchema(messages, schema),
		...(json_output === "object" && { response_format: { type: "json_object" } }),
	};
}

function withSchema(messages: readonly ChatMessage[], schema: Record<string, unknown>): ChatMessage[] {
	return messages.map((message) =>
		message.role === "system"
			? { ...message, content: `${message.content} Its JSON Schema: ${JSON.stringify(schema)}` }
			: message,
	);
}

/** Returns the text of the first choice. @throws EngineError `engine_bad_response` if there is none, or if it was cut off or refused. */
export function fromChatResponse(response: unknown): string {
	const [choice] = readObjects(readObject(response)?.choices);
	const message = readObject(choice?.message);
	const text = readString(message?.content);
	if (choice?.finish_reason === "length")
		throw languageError("engine_bad_response", "the response was cut off at the model's token limit");
	if (text === null) {
		const refusal = readString(message?.refusal) ?? "no text in the first choice";
		throw languageError("engine_bad_response", refusal.slice(0, 200));
	}
	return text;
}
