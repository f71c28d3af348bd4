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

const ROLES: Record<string, ModelMessage["role"]> = {
	...{ system: "system", developer: "system", user: "user", assistant: "assistant", tool: "tool" },
};

/** OpenAI's chat completions, whole and streamed. */
export const chatCompletions: ModelApi = {
	read: ({ messages, tools }) => {
		const list = messages as Json[];
		const functions = ((tools ?? []) as { function: FunctionTool }[]).map((tool) => tool.function);
		const calls = list.flatMap(({ tool_calls }) => ((tool_calls ?? []) as Json[]).map(({ id }) => id));
		const results = list.flatMap(({ tool_call_id }) => tool_call_id ?? []);
		return {
			turn: { messages: list.map(toMessage), tools: functions },
			fault: findOpenAiFault(functions) ?? findOpenCall(calls, results),
		};
	},
	write: (body, answer) => {
		const tool_calls = toolCalls(answer);
		const message = {
			...{ role: "assistant", content: answer.text, refusal: null },
			...(tool_calls.length > 0 && { tool_calls }),
		};
		return {
			...envelope(body, "chat.completion"),
			choices: [{ index: 0, message, finish_reason: finishReason(answer), logprobs: null }],
			usage: USAGE,
		};
	},
	stream: (body, answer) => {
		const chunk = (delta: Json, finish_reason: string | null = null) => ({
			...envelope(body, "chat.completion.chunk"),
			choices: [{ index: 0, delta, finish_reason, logprobs: null }],
		});
		const tool_calls = toolCalls(answer).map((call, index) => ({ index, ...call }));
		return [
			chunk({ role: "assistant", content: answer.text ?? "" }),
			...(tool_calls.length > 0 ? [chunk({ tool_calls })] : []),
			chunk({}, finishReason(answer)),
			{ ...envelope(body, "chat.completion.chunk"), choices: [], usage: USAGE },
		];
	},
};

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const toMessage = ({ role, content, tool_call_id }: Json): ModelMessage => ({
	role: ROLES[String(role)] ?? "user",
	text: textOf(content),
	...(tool_call_id !== undefined && { callId: String(tool_call_id) }),
});

const envelope = ({ model }: Json, object: string) => ({
	id: newId("chatcmpl"),
	object,
	created: epochSeconds(),
	model,
});

const toolCalls = ({ calls }: ModelAnswer) =>
	calls.map(({ id, name, arguments: args }) => ({
		id,
		type: "function",
		function: { name, arguments: args },
	}));

const finishReason = ({ calls }: ModelAnswer): string => (calls.length > 0 ? "tool_calls" : "stop");
