import { inference, initializeLogger, voice } from "@livekit/agents";
import { livekitToolset } from "@parley/sdk/adapters/livekit-agents";
import type { Directive } from "@parley/sdk/runtime";
import { INSTRUCTIONS, type StartModelClient } from "./client.ts";

/** LiveKit Agents in Node: a real agent session in text mode, without a room. */
export const startLiveKit: StartModelClient = async (runtime, { url }) => {
	initializeLogger({ pretty: false, level: "silent" });
	const directives: Directive[] = [];
	const toolset = await livekitToolset(runtime, {
		onDirective: (directive) => void directives.push(directive),
	});
	const llm = new inference.LLM({
		model: "scripted",
		baseURL: `${url}/v1`,
		apiKey: "none",
		apiSecret: "none",
	});
	const session = new voice.AgentSession({ llm });
	await session.start({ agent: new voice.Agent({ instructions: INSTRUCTIONS, tools: [toolset] }) });
	return {
		say: async (userInput) => {
			directives.length = 0;
			const result = session.run({ userInput });
			await result.wait();
			const answer = result.events.flatMap((event) =>
				event.type === "message" && event.item.role === "assistant" ? [event.item.textContent ?? ""] : [],
			);
			return { answer: answer.join(" "), directives: [...directives] };
		},
		stop: () => session.close(),
	};
};
