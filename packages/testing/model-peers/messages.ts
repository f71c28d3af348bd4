import { findOpenCall, type Json, type ModelApi, type ModelMessage, newId, textOf } from "./model-api.ts";
import { findAnthropicFault } from "./tool-rules.ts";

type Block = {
	type: string;
	text?: string;
	id?: string;
	tool_use_id?: string;
	content?: unknown;
	is_error?: boolean;
};

/** Anthropic's Messages API. */
export const messagesApi: ModelApi = {
	read: ({ system, messages, tools }) => {
		const list = messages as { role: "user" | "assistant"; content: string | Block[] }[];
		const blocks = list.flatMap(({ content }) => (typeof content === "string" ? [] : content));
		const definitions = ((tools ?? []) as { name: string; description?: string; input_schema: Json }[]).map(
			({ input_schema, ...rest }) => ({ ...rest, parameters: input_schema }),
		);
		const said = list.flatMap(({ role, content }): ModelMessage[] =>
			typeof content === "string"
				? [{ role, text: content }]
				: content.flatMap((block) => toMessage(role, block)),
		);
		const calls = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
		const results = blocks.flatMap(({ tool_use_id }) => tool_use_id ?? []);
		return {
			turn: {
				messages: system ? [{ role: "system", text: textOf(system) }, ...said] : said,
				tools: definitions,
			},
			fault: findAnthropicFault(definitions) ?? findOpenCall(calls, results),
		};
	},
	write: ({ model }, { text, calls }) => ({
		...{ id: newId("msg"), type: "message", role: "assistant", model, stop_sequence: null },
		stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
		content: [
			...(text === null ? [] : [{ type: "text", text, citations: null }]),
			...calls.map(({ id, name, arguments: args }) => ({
				type: "tool_use",
				id,
				name,
				input: JSON.parse(args),
			})),
		],
		usage: { input_tokens: 1, output_tokens: 1 },
	}),
};

function toMessage(
	role: "user" | "assistant",
	{ type, text, tool_use_id, content, is_error }: Block,
): ModelMessage[] {
	if (type === "text") return [{ role, text: text ?? "" }];
	if (type !== "tool_result") return [];
	return [{ role: "tool", text: textOf(content), callId: tool_use_id ?? "", isError: is_error ?? false }];
}
