// A language model on loopback that speaks OpenAI's Responses API and chat completions, follows a script, and refuses what
// OpenAI would refuse.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Loopback, startLoopback } from "@parley/testing/loopback";
import { type FunctionTool, findToolFault, type ToolFault } from "./openai-rules.ts";

/** A message of the conversation, the same for both APIs. `callId` is on the result of a tool call. */
export type ModelMessage = { role: "system" | "user" | "assistant" | "tool"; text: string; callId?: string };
export type ModelTurn = { messages: ModelMessage[]; tools: FunctionTool[] };
/** What the model does next: it speaks, or calls tools. Arguments that are text are sent as they are, valid or not. */
export type ModelMove = { text: string } | { calls: { name: string; arguments: object | string }[] };

export type ScriptedModel = Loopback & {
	/** Turns that the model was asked for, in order. */
	turns: ModelTurn[];
	/** Requests that OpenAI would have refused. */
	faults: ToolFault[];
};

type Call = { id: string; name: string; arguments: string };
type Item = Record<string, unknown>;

/** Starts a model on a free port; its base URL is `${url}/v1`. `play` returns its next move. */
export async function startScriptedModel(play: (turn: ModelTurn) => ModelMove): Promise<ScriptedModel> {
	const turns: ModelTurn[] = [];
	const faults: ToolFault[] = [];
	/** Input and output items of each response, for `previous_response_id`. */
	const stored = new Map<string, Item[]>();

	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const body = await readJson(request);
		const isChat = request.url?.endsWith("/chat/completions");
		if (!isChat && !request.url?.endsWith("/responses"))
			return send(
				response,
				404,
				error({ message: `Unknown path ${request.url}`, param: "", code: "not_found" }),
			);
		if (body.stream === true)
			return send(
				response,
				400,
				error({ message: "This model does not stream", param: "stream", code: "unsupported" }),
			);
		const items = isChat ? [] : itemsOf(body, stored);
		const turn = {
			messages: isChat ? readChat(body.messages as Item[]) : readItems(items, body.instructions),
			tools: readTools(body.tools, isChat ?? false),
		};
		const fault = findToolFault(turn.tools) ?? findOpenCall(isChat ? (body.messages as Item[]) : items);
		if (fault) {
			faults.push(fault);
			return send(response, 400, error(fault));
		}
		turns.push(turn);
		const move = play(turn);
		const calls = "calls" in move ? move.calls.map(toCall) : [];
		const text = "text" in move ? move.text : null;
		if (isChat) return send(response, 200, chatCompletion(body, text, calls));
		const result = modelResponse(body, text, calls);
		stored.set(result.id, [...items, ...(result.output as Item[])]);
		send(response, 200, result);
	};

	const loopback = await startLoopback((request, response) => {
		answer(request, response).catch((thrown) =>
			send(response, 500, error({ message: String(thrown), param: "", code: "server_error" })),
		);
	});
	return { ...loopback, turns, faults };
}

const toCall = ({ name, arguments: args }: { name: string; arguments: object | string }): Call => ({
	id: `call_${randomUUID().slice(0, 8)}`,
	name,
	arguments: typeof args === "string" ? args : JSON.stringify(args),
});

async function readJson(request: IncomingMessage): Promise<Item> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

function send(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const error = (fault: ToolFault) => ({ error: { type: "invalid_request_error", ...fault } });

/** Reads function tools; a chat completion has them one level deeper. */
const readTools = (tools: unknown, isChat: boolean): FunctionTool[] =>
	((tools ?? []) as (FunctionTool & { type: string; function: FunctionTool })[])
		.filter(({ type }) => type === "function")
		.map((tool) => (isChat ? tool.function : tool));

const textOf = (content: unknown): string => {
	if (typeof content === "string") return content;
	return ((content ?? []) as { text?: string }[]).map(({ text }) => text ?? "").join("");
};

const ROLES: Record<string, ModelMessage["role"]> = {
	...{ system: "system", developer: "system", user: "user", assistant: "assistant", tool: "tool" },
};

const readChat = (messages: Item[]): ModelMessage[] =>
	messages.map(({ role, content, tool_call_id }) => ({
		role: ROLES[String(role)] ?? "user",
		text: textOf(content),
		...(tool_call_id !== undefined && { callId: String(tool_call_id) }),
	}));

function itemsOf({ input, previous_response_id }: Item, stored: Map<string, Item[]>): Item[] {
	const before = stored.get(String(previous_response_id)) ?? [];
	const given = typeof input === "string" ? [{ role: "user", content: input }] : ((input ?? []) as Item[]);
	return [...before, ...given];
}

const readItems = (items: Item[], instructions: unknown): ModelMessage[] => [
	...(instructions ? [{ role: "system" as const, text: textOf(instructions) }] : []),
	...items.flatMap((item): ModelMessage[] => {
		if (item.type === "function_call_output")
			return [{ role: "tool", text: textOf(item.output), callId: String(item.call_id) }];
		return "role" in item ? [{ role: ROLES[String(item.role)] ?? "user", text: textOf(item.content) }] : [];
	}),
];

/** Returns the fault of a request in which a call has no result, or a result no call. */
function findOpenCall(items: Item[]): ToolFault | undefined {
	const idsOf = (list: unknown[]) => new Set(list.map(String));
	const calls = idsOf(
		items.flatMap(({ type, call_id, tool_calls }) =>
			type === "function_call" ? [call_id] : ((tool_calls ?? []) as Call[]).map(({ id }) => id),
		),
	);
	const results = idsOf(
		items.flatMap(({ type, call_id, tool_call_id }) =>
			type === "function_call_output" ? [call_id] : (tool_call_id ?? []),
		),
	);
	const open = [...calls].find((id) => !results.has(id)) ?? [...results].find((id) => !calls.has(id));
	return open === undefined
		? undefined
		: { message: `Call ${open} and its output do not match`, param: "input", code: "invalid_value" };
}

function chatCompletion({ model }: Item, content: string | null, calls: Call[]) {
	const tool_calls = calls.map(({ id, name, arguments: args }) => ({
		...{ id, type: "function", function: { name, arguments: args } },
	}));
	const message = { role: "assistant", content, refusal: null, ...(calls.length > 0 && { tool_calls }) };
	const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
	return {
		id: `chatcmpl-${randomUUID()}`,
		...{ object: "chat.completion", created: Math.floor(Date.now() / 1000), model },
		choices: [{ index: 0, message, finish_reason, logprobs: null }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function modelResponse({ model, tools = [], instructions = null }: Item, text: string | null, calls: Call[]) {
	const output: Item[] = calls.map(({ id, name, arguments: args }) => ({
		...{
			type: "function_call",
			id: `fc_${randomUUID()}`,
			call_id: id,
			name,
			arguments: args,
			status: "completed",
		},
	}));
	if (text !== null) {
		const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
		output.push({
			type: "message",
			id: `msg_${randomUUID()}`,
			role: "assistant",
			status: "completed",
			content,
		});
	}
	const details = {
		input_tokens_details: { cached_tokens: 0 },
		output_tokens_details: { reasoning_tokens: 0 },
	};
	return {
		id: `resp_${randomUUID()}`,
		...{
			object: "response",
			created_at: Math.floor(Date.now() / 1000),
			status: "completed",
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
		...{ temperature: 1, top_p: 1, output },
		usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details },
	};
}
