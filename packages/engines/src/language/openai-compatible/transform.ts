import { readObject, readObjects, readString } from "../../transport/read-json.ts";
import { languageError } from "../language-error.ts";
import type { OpenAiChatSettings } from "../language-settings.ts";
import type { ChatMessage, ChatRequest } from "../prompted/chat.ts";

/** The body of a chat completion. Servers without JSON schemas are told of the schema in words. */
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

/** The text of the first choice. Throws EngineError `engine_bad_response` when there is none, or it was cut off or refused. */
export function fromChatAnswer(answer: unknown): string {
	const [choice] = readObjects(readObject(answer)?.choices);
	const message = readObject(choice?.message);
	const text = readString(message?.content);
	if (choice?.finish_reason === "length")
		throw languageError("engine_bad_response", "the answer was cut off at the model's limit of tokens");
	if (text === null) {
		const refusal = readString(message?.refusal) ?? "no text in the first choice";
		throw languageError("engine_bad_response", refusal.slice(0, 200));
	}
	return text;
}
