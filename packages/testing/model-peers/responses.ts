import {
	epochSeconds,
	findOpenCall,
	type Json,
	type ModelAnswer,
	type ModelApi,
	type ModelMessage,
	newId,
	textOf,
} from "./model-api.ts";
import { type FunctionTool, findOpenAiFault } from "./tool-rules.ts";

/** Creates OpenAI's Responses API, which keeps each response for `previous_response_id`. */
export function createResponsesApi(): ModelApi {
	const stored = new Map<string, Json[]>();
	const itemsOf = ({ input, previous_response_id }: Json): Json[] => {
		const given = typeof input === "string" ? [{ role: "user", content: input }] : ((input ?? []) as Json[]);
		return [...(stored.get(String(previous_response_id)) ?? []), ...given];
	};
	return {
		read: (body) => {
			const items = itemsOf(body);
			const all = (body.tools ?? []) as (FunctionTool & { type: string })[];
			const tools = all.filter(({ type }) => type === "function");
			const idsOf = (type: string) => items.flatMap((item) => (item.type === type ? [item.call_id] : []));
			return {
				turn: { messages: toMessages(items, body.instructions), tools },
				fault: findOpenAiFault(tools) ?? findOpenCall(idsOf("function_call"), idsOf("function_call_output")),
			};
		},
		write: (body, answer, items = []) => {
			const response = toResponse(body, answer);
			response.output.unshift(...items);
			stored.set(response.id, [...itemsOf(body), ...response.output]);
			return response;
		},
	};
}

function toMessages(items: Json[], instructions: unknown): ModelMessage[] {
	const messages = items.flatMap(({ type, role, content, call_id, output }): ModelMessage[] => {
		if (type === "function_call_output")
			return [{ role: "tool", text: textOf(output), callId: String(call_id) }];
		if (role === undefined) return [];
		const isSystem = role === "system" || role === "developer";
		return [
			{ role: isSystem ? "system" : role === "assistant" ? "assistant" : "user", text: textOf(content) },
		];
	});
	return instructions ? [{ role: "system", text: textOf(instructions) }, ...messages] : messages;
}

const USAGE = {
	...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
	...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
};

function toResponse({ model, tools = [], instructions = null }: Json, { text, calls }: ModelAnswer) {
	const status = "completed";
	const output: Json[] = calls.map(({ id, name, arguments: args }) => ({
		...{ type: "function_call", id: newId("fc"), call_id: id, name, arguments: args, status },
	}));
	if (text !== null) {
		const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
		output.push({ type: "message", id: newId("msg"), role: "assistant", status, content });
	}
	return {
		...{
			id: newId("resp"),
			object: "response",
			created_at: epochSeconds(),
			status,
			model,
			tools,
			instructions,
		},
		...{
			error: null,
			incomplete_details: null,
			metadata: {},
			parallel_tool_calls: true,
			tool_choice: "auto",
		},
		...{ temperature: 1, top_p: 1, output, usage: USAGE },
	};
}
