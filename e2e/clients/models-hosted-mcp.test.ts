// Hosted MCP: the model's vendor calls the agent's endpoint. OpenAI's side is a script that connects as OpenAI does; what it gets
// from `@openai/agents` and from Parley is real.
import { Agent, hostedMcpTool, OpenAIProvider, Runner } from "@openai/agents";
import { createAgentRuntime } from "@parley/sdk/runtime";
import { type ScriptedModel, startScriptedModel } from "@parley/testing/model-peers/scripted-model";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ClientAgent, startClientAgent } from "./agent.ts";
import { SAYINGS, scriptFor } from "./models/script.ts";

let agent: ClientAgent;
let model: ScriptedModel;
beforeAll(async () => {
	agent = await startClientAgent();
	model = await startScriptedModel(scriptFor(agent.toolNames));
});
afterAll(async () => {
	await model?.stop();
	await agent?.stop();
});

/** Runs an agent whose tools are hosted, with the token of a session. */
async function say(text: string) {
	const options = { baseUrl: inject("baseUrl"), key: agent.key, agentId: agent.id };
	await using session = await createAgentRuntime(options).session();
	const hosted = hostedMcpTool({
		...{ serverLabel: "parley", serverUrl: session.mcp_url, requireApproval: "never" },
		authorization: session.token,
	});
	const desk = new Agent({
		name: "desk",
		instructions: session.system_prompt,
		model: "scripted",
		tools: [hosted],
	});
	const modelProvider = new OpenAIProvider({
		baseURL: `${model.url}/v1`,
		apiKey: "none",
		useResponses: true,
	});
	const result = await new Runner({ modelProvider, tracingDisabled: true }).run(desk, text);
	return { answer: String(result.finalOutput), turn: model.turns.at(-1) };
}

test("OpenAI lists and calls an agent's tools by its endpoint and a session token", async () => {
	const { answer, turn } = await say(SAYINGS.call);
	expect(answer).toMatch(/forecast.*clear.*Oslo/);
	expect(turn?.tools.map(({ name }) => name)).toEqual(Object.values(agent.toolNames));
});

test("the model learns from OpenAI that a tool has failed, or what was wrong with its arguments", async () => {
	expect((await say(SAYINGS.fail)).answer).toContain("503");
	const { answer, turn } = await say(SAYINGS.correct);
	expect(turn?.messages.find(({ role }) => role === "tool")?.text).toContain("arguments.town");
	expect(answer).toMatch(/forecast.*clear.*Oslo/);
});

test("a directive is in the record of the call, since OpenAI passes on text alone", async () => {
	await say(SAYINGS.direct);
	const url = `${inject("baseUrl")}/v1/agents/${agent.id}/tool-calls?page_size=1`;
	const response = await fetch(url, { headers: { authorization: `Bearer ${agent.key}` } });
	const { items } = (await response.json()) as { items: { directive: { type: string } | null }[] };
	expect(items[0]?.directive?.type).toBe("voicemail_detection");
});
