import Anthropic from "@anthropic-ai/sdk";
import { answerModelCall } from "@parley/sdk/adapters/model-call";
import type { Toolset } from "@parley/sdk/runtime";
import { INSTRUCTIONS, type StartModelClient } from "./client.ts";

const toParam = ({ input_schema, ...tool }: Toolset<"anthropic">["tools"][number]): Anthropic.Tool => ({
	...tool,
	input_schema: { ...input_schema, type: "object" },
});

/** `@anthropic-ai/sdk` with the toolset in Anthropic's format, and a loop by hand. */
export const startAnthropic: StartModelClient = async (runtime, { url }) => {
	const client = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });
	const tools = (await runtime.tools("anthropic")).tools.map(toParam);
	return {
		say: async (text) => {
			const messages: Anthropic.MessageParam[] = [{ role: "user", content: text }];
			const directives = [];
			for (;;) {
				const given = { model: "scripted", max_tokens: 1024, system: INSTRUCTIONS, messages, tools };
				const { content } = await client.messages.create(given);
				const calls = content.filter((block) => block.type === "tool_use");
				if (calls.length === 0)
					return {
						answer: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
						directives,
					};
				messages.push({ role: "assistant", content });
				for (const { id, name, input } of calls) {
					const {
						text: result,
						ok,
						result: call,
					} = await answerModelCall(runtime, { id, name, arguments: input });
					if (call?.directive) directives.push(call.directive);
					const block = { type: "tool_result", tool_use_id: id, content: result, is_error: !ok } as const;
					messages.push({ role: "user", content: [block] });
				}
			}
		},
	};
};
