// For the package `@openai/agents`, text and voice agents alike.
import { type FunctionTool, tool } from "@openai/agents";
import type { AgentTools } from "../runtime.ts";
import { type AdapterOptions, answerModelCall } from "./model-call.ts";

/** Returns the toolset as function tools for `new Agent({ tools })` or `new RealtimeAgent({ tools })`. */
export async function agentsTools(
	runtime: AgentTools,
	options: AdapterOptions = {},
): Promise<FunctionTool[]> {
	const { tools } = await runtime.tools("openai");
	return tools.map(({ name, description, parameters, strict }) => {
		const made = tool({
			name,
			description,
			// The package's type knows closed and open objects only; it sends the schema as it is.
			parameters: parameters as never,
			strict: strict as never,
			execute: async (
				input: unknown,
				_context: unknown,
				details?: { toolCall?: { callId: string }; signal?: AbortSignal },
			) => {
				const call = { name, arguments: input, id: details?.toolCall?.callId };
				return (await answerModelCall(runtime, call, options, details?.signal)).text;
			},
		});
		// The package turns hyphens into underscores, which OpenAI does not ask for, and two names could become one.
		return Object.assign(made, { name });
	});
}
