import { exports } from "cloudflare:workers";
import type { AgentKeyActor } from "@parley/context/actor";
import type { Agent } from "@parley/contracts/agents/agents";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { publishedTool } from "../../test/published-tool.ts";

async function settle() {
	const client = await createClient();
	const tool_id = await publishedTool(client.id, { parameters: { "city!": { type: "string" } } });
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "Front desk", system_prompt: "You serve {{name}}{{unknown}}." },
		tool_refs: [{ attachment_id: crypto.randomUUID(), tool_id, version: 1 }],
	});
	return { client, agent };
}

const targetOf = (client: Client, agent: Agent, own: object = {}) => ({
	...{ actor: client.ctx().actor, agentId: agent.id, requestId: "test" },
	...own,
});

const boundTo = (client: Client, agentId: string): AgentKeyActor => {
	const { label, organisation } = client.ctx().actor;
	const scopes = new Set(["runtime:use"] as const);
	const base = { id: "api_key:1", keyId: "1", agentVersion: null, expiresAt: null };
	return { type: "agent_key", ...base, label, organisation, scopes, agentId };
};

test("an agent is described with its name, its version and its prompt, whose unknown placeholders stay", async () => {
	const { client, agent } = await settle();
	const variables = { name: "Ada" };
	expect(await exports.AgentRuntime.describe(targetOf(client, agent, { variables }))).toEqual({
		ok: true,
		value: { name: "Front desk", version: 1, instructions: "You serve Ada{{unknown}}." },
	});
});

test("a toolset crosses RPC, and refusals keep their code", async () => {
	const { client, agent } = await settle();
	expect(await exports.AgentRuntime.toolset(targetOf(client, agent))).toMatchObject({
		ok: true,
		value: {
			...{ agentName: "Front desk", version: 1 },
			tools: [{ parameters: { required: ["city"], additionalProperties: false } }],
		},
	});
	await client.call("PATCH", `/v1/agents/${agent.id}`, { status: "inactive" });
	const inactive = await exports.AgentRuntime.toolset(targetOf(client, agent));
	expect(inactive).toMatchObject({ ok: false, refusal: { code: "AGENT_INACTIVE" } });
	const absent = targetOf(client, agent, { agentId: crypto.randomUUID() });
	expect(await exports.AgentRuntime.describe(absent)).toMatchObject({
		ok: false,
		refusal: { code: "RESOURCE_NOT_FOUND" },
	});
});

test("a credential of another agent or without the scope is refused", async () => {
	const { client, agent } = await settle();
	const foreign = targetOf(client, agent, { actor: boundTo(client, crypto.randomUUID()) });
	const refused = { ok: false, refusal: { code: "FORBIDDEN" } };
	expect(await exports.AgentRuntime.toolset(foreign)).toMatchObject(refused);
	const own = targetOf(client, agent, { actor: boundTo(client, agent.id) });
	expect(await exports.AgentRuntime.toolset(own)).toMatchObject({ ok: true });
	const { actor } = client.ctx();
	const unscoped = targetOf(client, agent, { actor: { ...actor, scopes: new Set(["agents:read"]) } });
	expect(await exports.AgentRuntime.describe(unscoped)).toMatchObject(refused);
});
