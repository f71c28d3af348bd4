import { responsesTools, runResponsesCalls } from "@parley/sdk/adapters/openai";
import OpenAI from "openai";
import { INSTRUCTIONS, type StartModelClient } from "./client.ts";

/** `openai`, Responses API, with a loop by hand. */
export const startOpenAiResponses: StartModelClient = async (runtime, { url }) => {
	const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
	const given = { model: "scripted", instructions: INSTRUCTIONS, tools: await responsesTools(runtime) };
	return {
		say: async (text) => {
			let response = await client.responses.create({ ...given, input: text });
			const directives = [];
			for (;;) {
				const outcome = await runResponsesCalls(runtime, response.output);
				if (outcome.input.length === 0) return { answer: response.output_text, directives };
				directives.push(...outcome.directives);
				const { input } = outcome;
				response = await client.responses.create({ ...given, input, previous_response_id: response.id });
			}
		},
	};
};
