// For the package `openai`: the Responses API and chat completions.
import type OpenAI from "openai";
import type { AgentTools, Directive, ToolCallResult } from "../runtime.ts";
import { type AdapterOptions, answerModelCall, type ModelCall } from "./model-call.ts";

type Responses = OpenAI.Responses.ResponseFunctionToolCall;
type FunctionCallOutput = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;
type ToolMessage = OpenAI.Chat.Completions.ChatCompletionToolMessageParam;

type Options = AdapterOptions & { signal?: AbortSignal };
/** What came of the calls of one model answer, in the model's order. */
type Outcome = { results: ToolCallResult[]; directives: Directive[] };

/** Returns the toolset for `responses.create({ tools })`. */
export async function responsesTools(runtime: AgentTools): Promise<OpenAI.Responses.FunctionTool[]> {
	return (await runtime.tools("openai")).tools;
}

/**
 * Runs the function calls of a response, all at once. Send `input` back with `previous_response_id`, or after the response's own
 * output. It is empty if the model called nothing.
 */
export async function runResponsesCalls(
	runtime: AgentTools,
	output: readonly OpenAI.Responses.ResponseOutputItem[],
	options: Options = {},
): Promise<Outcome & { input: FunctionCallOutput[] }> {
	const calls = output.filter((item): item is Responses => item.type === "function_call");
	const answers = await answerAll(
		runtime,
		calls.map(({ name, arguments: args, call_id }) => ({ name, arguments: args, id: call_id })),
		options,
	);
	const input = answers.texts.map((text, index): FunctionCallOutput => {
		const call_id = calls[index]?.call_id;
		return { type: "function_call_output", ...(call_id !== undefined && { call_id }), output: text };
	});
	return { ...answers.outcome, input };
}

/** Returns the toolset for `chat.completions.create({ tools })`. */
export async function chatTools(
	runtime: AgentTools,
): Promise<OpenAI.Chat.Completions.ChatCompletionFunctionTool[]> {
	const { tools } = await runtime.tools("openai");
	return tools.map(({ type, ...definition }) => ({ type, function: definition }));
}

/** Runs the tool calls of a chat completion's message, all at once. Append the message and then `messages`. */
export async function runChatCalls(
	runtime: AgentTools,
	{ tool_calls = [] }: Pick<OpenAI.Chat.Completions.ChatCompletionMessage, "tool_calls">,
	options: Options = {},
): Promise<Outcome & { messages: ToolMessage[] }> {
	const calls = tool_calls.filter((call) => call.type === "function");
	const answers = await answerAll(
		runtime,
		calls.map(({ id, function: { name, arguments: args } }) => ({ name, arguments: args, id })),
		options,
	);
	const messages = calls.map(
		({ id }, index): ToolMessage => ({
			role: "tool",
			tool_call_id: id,
			content: answers.texts[index] ?? "",
		}),
	);
	return { ...answers.outcome, messages };
}

async function answerAll(runtime: AgentTools, calls: ModelCall[], { signal, ...options }: Options) {
	const answers = await Promise.all(calls.map((call) => answerModelCall(runtime, call, options, signal)));
	const results = answers.flatMap(({ result }) => result ?? []);
	return {
		texts: answers.map(({ text }) => text),
		outcome: { results, directives: results.flatMap(({ directive }) => directive ?? []) },
	};
}
