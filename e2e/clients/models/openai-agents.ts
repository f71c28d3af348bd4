import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { agentsTools } from "@parley/sdk/adapters/openai-agents";
import type { Directive } from "@parley/sdk/runtime";
import { INSTRUCTIONS, MAX_STEPS, type StartModelClient } from "./client.ts";

/** `@openai/agents` with function tools. */
export const startOpenAiAgents: StartModelClient = async (runtime, { url }) => {
	const directives: Directive[] = [];
	const tools = await agentsTools(runtime, { onDirective: (directive) => void directives.push(directive) });
	const agent = new Agent({ name: "desk", instructions: INSTRUCTIONS, model: "scripted", tools });
	const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "none", useResponses: true });
	const runner = new Runner({ modelProvider, tracingDisabled: true });
	return {
		say: async (text) => {
			directives.length = 0;
			const { finalOutput } = await runner.run(agent, text, { maxTurns: MAX_STEPS });
			return { answer: String(finalOutput), directives: [...directives] };
		},
	};
};
