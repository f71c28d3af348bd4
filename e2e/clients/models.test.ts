// Every client library × what can happen to a tool call, with an agent's tools on the real stack.
import { createAgentRuntime } from "@parley/sdk/runtime";
import { type ScriptedModel, startScriptedModel } from "@parley/testing/model-peers/scripted-model";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type ClientAgent, startClientAgent } from "./agent.ts";
import { startAiSdk } from "./models/ai-sdk.ts";
import { startAnthropic } from "./models/anthropic.ts";
import { INSTRUCTIONS, type ModelClient, type StartModelClient } from "./models/client.ts";
import { startLiveKit } from "./models/livekit.ts";
import { startOpenAiAgents } from "./models/openai-agents.ts";
import { startOpenAiChat } from "./models/openai-chat.ts";
import { startOpenAiResponses } from "./models/openai-responses.ts";
import { SAYINGS, scriptFor } from "./models/script.ts";

let agent: ClientAgent;
beforeAll(async () => {
	agent = await startClientAgent();
});
afterAll(() => agent?.stop());

const FORECAST = /forecast.*clear.*Oslo/;
const CLIENTS: [string, StartModelClient][] = [
	["openai (Responses)", startOpenAiResponses],
	["openai (chat completions)", startOpenAiChat],
	["@openai/agents", startOpenAiAgents],
	["ai", startAiSdk],
	["@anthropic-ai/sdk", startAnthropic],
	["@livekit/agents", startLiveKit],
];

describe.each(CLIENTS)("%s", (name, start) => {
	let model: ScriptedModel;
	let client: ModelClient;
	beforeAll(async () => {
		model = await startScriptedModel(scriptFor(agent.toolNames));
		const options = { baseUrl: inject("baseUrl"), key: agent.key, agentId: agent.id };
		client = await start(createAgentRuntime(options), model);
	});
	afterAll(async () => {
		await client?.stop?.();
		await model?.stop();
	});

	/** Says something; returns the answer with the texts of the tools that the model was given for it. */
	const say = async (text: string) => {
		const talk = await client.say(text);
		const messages = model.turns.at(-1)?.messages ?? [];
		const asked = messages.findLastIndex(({ role }) => role === "user");
		const results = messages.slice(asked).filter(({ role }) => role === "tool");
		expect(model.faults).toEqual([]);
		return { ...talk, results };
	};

	test("lists the agent's tools to the model, in a form that its vendor takes", async () => {
		await say(SAYINGS.call);
		const { tools, messages } = model.turns[0] ?? { tools: [], messages: [] };
		expect(tools.map((tool) => tool.name).sort()).toEqual(Object.values(agent.toolNames).sort());
		expect(messages[0]).toMatchObject({ role: "system", text: INSTRUCTIONS });
	});

	test("calls a tool and gives its output to the model", async () => {
		const { answer, results, directives } = await say(SAYINGS.call);
		expect(answer).toMatch(FORECAST);
		expect(results).toHaveLength(1);
		expect(directives).toEqual([]);
	});

	test("lets the model correct arguments that do not match the schema", async () => {
		const { answer, results } = await say(SAYINGS.correct);
		expect(results[0]?.text).toContain("city");
		expect(answer).toMatch(FORECAST);
	});

	test("lets the model go on after a tool that does not exist", async () => {
		const { answer } = await say(SAYINGS.unknown).catch((error: Error) => ({ answer: error.message }));
		// OpenAI's agents end the run: they know the tools and refuse the name before anything is called.
		if (name === "@openai/agents") expect(answer).toContain("read_tea_leaves");
		else expect(answer).toMatch(FORECAST);
	});

	test("tells the model that a tool has failed, and why", async () => {
		const { answer, results } = await say(SAYINGS.fail);
		expect(answer).toContain("503");
		if (name === "@anthropic-ai/sdk") expect(results[0]?.isError).toBe(true);
	});

	test("hands over what the voice runtime itself must do", async () => {
		const { directives } = await say(SAYINGS.direct);
		expect(directives).toEqual([expect.objectContaining({ type: "voicemail_detection" })]);
	});

	// Anthropic's arguments arrive parsed.
	test.skipIf(name === "@anthropic-ai/sdk")("lets the model correct arguments that are no JSON", async () => {
		const { answer } = await say(SAYINGS.notJson);
		expect(answer).toMatch(FORECAST);
	});
});

describe("a tool of an MCP server that has drifted", () => {
	const runtime = () => createAgentRuntime({ baseUrl: inject("baseUrl"), key: agent.key, agentId: agent.id });

	beforeAll(async () => {
		await agent.drift();
		await vi.waitFor(
			async () => {
				const { tools } = await runtime().tools();
				expect(tools.map((tool) => tool.name)).not.toContain(agent.toolNames.order);
			},
			{ timeout: 15_000, interval: 500 },
		);
	}, 20_000);

	test("is left out with a warning, and the others stay", async () => {
		const { tools, warnings } = await runtime().tools("openai");
		expect(tools).toHaveLength(3);
		expect(warnings.map(({ tool }) => tool)).toContain(agent.toolNames.order);
	});

	test.each(CLIENTS)("is not offered to the model by %s", async (_, start) => {
		const model = await startScriptedModel(scriptFor(agent.toolNames));
		const client = await start(runtime(), model);
		try {
			expect((await client.say(SAYINGS.call)).answer).toMatch(FORECAST);
			const { order: _order, ...others } = agent.toolNames;
			expect(model.turns[0]?.tools.map((tool) => tool.name).sort()).toEqual(Object.values(others).sort());
		} finally {
			await client.stop?.();
			await model.stop();
		}
	});
});
