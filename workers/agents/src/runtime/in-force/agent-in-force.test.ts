import type { Agent } from "@parley/contracts/agents/agents";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import { mcpCatalogs } from "@parley/db/agents/mcp-servers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { HASH, healthyServer } from "../../../test/healthy-server.ts";
import { deleteTool, publishedTool } from "../../../test/published-tool.ts";
import { CURATED_TOOLS } from "../../tools/curated-tools.ts";
import { loadAgentInForce } from "./agent-in-force.ts";
import type { RuntimeAttachment } from "./runtime-attachment.ts";

const id = () => crypto.randomUUID();
const named = (name: string, config: object = {}) => ({
	snapshot: {
		...{ name, description: "", tool_type: "api_request" as const, argument_defaults: {} },
		argument_schema: { type: "object", properties: { city: { type: "string" } } },
		config: TOOL_CONFIGS.api_request.parse({
			...{ type: "api_request", url: "https://api.example/", timeout_seconds: 10 },
			...config,
		}),
	},
});

async function createAgent(client: Client, body: object): Promise<Agent> {
	const answer = await client.call<Agent>("POST", "/v1/agents", { name: id(), ...body });
	expect(answer.status, JSON.stringify(answer.body)).toBe(201);
	return answer.body;
}

const ref = (tool_id: string, more: object = {}) => ({ attachment_id: id(), tool_id, version: 1, ...more });

test("every attachment has a name, its pinned content and its overrides, in the agent's order", async () => {
	const client = await createClient();
	const weather = await publishedTool(client.id, named("weather"));
	const second = await publishedTool(client.id, named("weather"));
	const clock = CURATED_TOOLS.find(({ name }) => name === "current_datetime")!;
	const server_id = await healthyServer(client);
	const agent = await createAgent(client, {
		tool_refs: [
			ref(second, { invocation: "system", system: { triggers: [{ event: "call_start" }], arguments: {} } }),
			ref(weather, {
				description: "Only for Europe.",
				argument_overrides: { city: "Paris" },
				config_overrides: { type: "api_request", timeout_seconds: 5 },
				execution_policy: { pre_action_message: { enabled: true, text: "One moment", wait: true } },
			}),
			ref(clock.id),
		],
		mcp_refs: [{ attachment_id: id(), server_id, tool_name: "search", observed_schema_hash: HASH }],
	});
	const found = await loadAgentInForce(client.ctx(), agent.id);
	expect(found).toMatchObject({
		agentId: agent.id,
		name: agent.name,
		status: "active",
		version: 1,
		warnings: [],
	});
	expect(found.attachments.map(({ name, kind }) => [name, kind])).toEqual([
		["weather_2", "tool"],
		["weather", "tool"],
		["current_datetime", "tool"],
		["search", "mcp"],
	]);
	expect(found.attachments[1]).toMatchObject({
		...{ description: "Only for Europe.", argumentOverrides: { city: "Paris" } },
		preActionMessage: { text: "One moment", wait: true },
		runnable: { id: weather, versionNumber: 1, config: { timeout_seconds: 5, url: "https://api.example/" } },
	});
	expect(found.attachments[3]).toMatchObject({
		...{ serverId: server_id, toolName: "search", serverStatus: "healthy" },
		tool: { name: "search", schema_hash: HASH },
	});
});

test("a second load within seconds reads nothing, and a change in this isolate takes effect at once", async () => {
	const client = await createClient();
	const agent = await createAgent(client, {});
	const first = await loadAgentInForce(client.ctx(), agent.id);
	const ctx = { ...client.ctx(), db: undefined as never };
	expect(await loadAgentInForce(ctx, agent.id)).toBe(first);
	await client.call("PATCH", `/v1/agents/${agent.id}`, { status: "inactive", greeting: "Hello" });
	expect(await loadAgentInForce(client.ctx(), agent.id)).toMatchObject({ status: "inactive", version: 2 });
});

test("a session keeps its version, and a version that does not exist is not found", async () => {
	const client = await createClient();
	const agent = await createAgent(client, { greeting: "one" });
	await client.call("PATCH", `/v1/agents/${agent.id}`, { greeting: "two" });
	const session = { id: id(), agentId: agent.id, agentVersion: 1 } as never;
	expect((await loadAgentInForce(client.ctx(), agent.id, session)).config.greeting).toBe("one");
	expect((await loadAgentInForce(client.ctx(), agent.id)).config.greeting).toBe("two");
	const absent = { id: id(), agentId: agent.id, agentVersion: 9 } as never;
	await expect(loadAgentInForce(client.ctx(), agent.id, absent)).rejects.toThrow(
		"Agent version not found: 9",
	);
});

test("an agent of another organisation is not found", async () => {
	const agent = await createAgent(await createClient(), {});
	const other = await createClient();
	await expect(loadAgentInForce(other.ctx(), agent.id)).rejects.toThrow(`Agent not found: ${agent.id}`);
});

test("a deleted tool and a drifted MCP tool are named in a warning and keep the names of the others", async () => {
	const client = await createClient();
	const gone = await publishedTool(client.id, named("search"));
	const server_id = await healthyServer(client);
	const agent = await createAgent(client, {
		status: "inactive",
		tool_refs: [ref(gone)],
		mcp_refs: [{ attachment_id: id(), server_id, tool_name: "search", observed_schema_hash: HASH }],
	});
	await deleteTool(gone);
	await client
		.ctx()
		.db.update(mcpCatalogs)
		.set({ hashes: { search: "b".repeat(64) } })
		.where(eq(mcpCatalogs.serverId, server_id));
	const { attachments, warnings } = await loadAgentInForce(client.ctx(), agent.id);
	expect(attachments).toMatchObject([
		{ name: "search", runnable: null },
		{ name: "search_2", tool: null, serverStatus: "healthy" },
	] satisfies Partial<RuntimeAttachment>[]);
	expect(warnings).toEqual([
		{ tool: "search", message: "The tool was deleted, so it is left out." },
		{ tool: "search_2", message: expect.stringContaining("has changed since it was attached") },
	]);
});
