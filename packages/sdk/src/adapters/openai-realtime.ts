// For OpenAI's Realtime API, over WebSocket, WebRTC or SIP: plain events, so that any client of it can send them.
import type OpenAI from "openai";
import type { AgentTools, Directive, ToolCallResult } from "../runtime.ts";
import { type AdapterOptions, answerModelCall } from "./model-call.ts";

type ClientEvent = OpenAI.Realtime.RealtimeClientEvent;
type ServerEvent = OpenAI.Realtime.RealtimeServerEvent;

/** Returns the toolset for `session.update` with `session.tools`. */
export async function realtimeTools(runtime: AgentTools): Promise<OpenAI.Realtime.RealtimeFunctionTool[]> {
	return (await runtime.tools("openai_realtime")).tools;
}

/**
 * Runs the function calls of a `response.done` event. Send `events` in order: the outputs, then a request for the next
 * response. It is empty for every other event and for a response without calls.
 */
export async function runRealtimeCalls(
	runtime: AgentTools,
	event: ServerEvent,
	{ signal, ...options }: AdapterOptions & { signal?: AbortSignal } = {},
): Promise<{ events: ClientEvent[]; results: ToolCallResult[]; directives: Directive[] }> {
	const output = event.type === "response.done" ? (event.response.output ?? []) : [];
	const calls = output.filter((item) => item.type === "function_call");
	const answers = await Promise.all(
		calls.map(({ name, arguments: args, call_id }) =>
			answerModelCall(runtime, { name, arguments: args, id: call_id }, options, signal),
		),
	);
	const outputs = answers.map(({ text }, index): ClientEvent => {
		const call_id = calls[index]?.call_id ?? "";
		return {
			type: "conversation.item.create",
			item: { type: "function_call_output", call_id, output: text },
		};
	});
	const results = answers.flatMap(({ result }) => result ?? []);
	return {
		events: outputs.length > 0 ? [...outputs, { type: "response.create" }] : [],
		results,
		directives: results.flatMap(({ directive }) => directive ?? []),
	};
}
