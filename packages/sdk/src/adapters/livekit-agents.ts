// For LiveKit Agents in Node, the package `@livekit/agents`.
import { llm } from "@livekit/agents";
import type { AgentTools } from "../runtime.ts";
import { type AdapterOptions, answerModelCall } from "./model-call.ts";

/**
 * Returns the toolset for `new voice.Agent({ tools: [toolset] })`. A call that does not succeed throws LiveKit's `ToolError`, whose
 * text its model sees.
 */
export async function livekitToolset(
	runtime: AgentTools,
	options: AdapterOptions = {},
): Promise<llm.Toolset> {
	const { agent_id, tools } = await runtime.tools("json_schema");
	return llm.Toolset.create({
		id: `parley-${agent_id}`,
		tools: tools.map(({ name, description, parameters }) =>
			llm.tool({
				name,
				description,
				parameters,
				execute: async (args: unknown, { toolCallId, abortSignal }) => {
					const call = { name, arguments: args, id: toolCallId };
					const { text, ok } = await answerModelCall(runtime, call, options, abortSignal);
					if (!ok) throw new llm.ToolError(text);
					return text;
				},
			}),
		),
	});
}
