import { chatTools, runChatCalls } from "@parley/sdk/adapters/openai";
import OpenAI from "openai";
import { INSTRUCTIONS, type StartModelClient } from "./client.ts";

/** `openai`, chat completions, with a loop by hand. */
export const startOpenAiChat: StartModelClient = async (runtime, { url }) => {
	const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
	const tools = await chatTools(runtime);
	return {
		say: async (text) => {
			const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
				{ role: "system", content: INSTRUCTIONS },
				{ role: "user", content: text },
			];
			const directives = [];
			for (;;) {
				const { choices } = await client.chat.completions.create({ model: "scripted", messages, tools });
				const message = choices[0]?.message;
				if (!message) throw new Error("The model gave no answer");
				const outcome = await runChatCalls(runtime, message);
				if (outcome.messages.length === 0) return { answer: message.content ?? "", directives };
				directives.push(...outcome.directives);
				messages.push(message, ...outcome.messages);
			}
		},
	};
};
