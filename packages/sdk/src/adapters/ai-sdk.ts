// For the Vercel AI SDK, the package `ai`.
import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import type { AgentTools } from "../runtime.ts";
import { type AdapterOptions, answerModelCall, type ModelAnswer } from "./model-call.ts";

/**
 * Returns the toolset for `generateText({ tools })` and `streamText({ tools })`. The output of a call is
 * `{ text, ok, result }`; the model sees the text, as an error if the call did not succeed.
 */
export async function aiTools(runtime: AgentTools, options: AdapterOptions = {}): Promise<ToolSet> {
	const { tools } = await runtime.tools("json_schema");
	return Object.fromEntries(
		tools.map(({ name, description, parameters }) => [
			name,
			dynamicTool({
				description,
				inputSchema: jsonSchema(parameters),
				execute: (input, { toolCallId, abortSignal }): Promise<ModelAnswer> =>
					answerModelCall(runtime, { name, arguments: input, id: toolCallId }, options, abortSignal),
				toModelOutput: ({ output }) => {
					const { text, ok } = output as ModelAnswer;
					return { type: ok ? "text" : "error-text", value: text };
				},
			}),
		]),
	);
}
