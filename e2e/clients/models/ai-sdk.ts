import { createOpenAI } from "@ai-sdk/openai";
import { aiTools } from "@parley/sdk/adapters/ai-sdk";
import type { Directive } from "@parley/sdk/runtime";
import { generateText, isStepCount } from "ai";
import { INSTRUCTIONS, MAX_STEPS, type StartModelClient } from "./client.ts";

/** The Vercel AI SDK, `ai`, with its OpenAI provider. */
export const startAiSdk: StartModelClient = async (runtime, { url }) => {
	const directives: Directive[] = [];
	const tools = await aiTools(runtime, { onDirective: (directive) => void directives.push(directive) });
	const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" })("scripted");
	return {
		say: async (prompt) => {
			directives.length = 0;
			const given = { model, instructions: INSTRUCTIONS, prompt, tools, maxRetries: 0 };
			const { text } = await generateText({ ...given, stopWhen: isStepCount(MAX_STEPS) });
			return { answer: text, directives: [...directives] };
		},
	};
};
