import type {
	Agent,
	AgentConfig,
	AgentListItem,
	AgentVersion,
	ImportPlan,
} from "@parley/contracts/agents/agents";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { publishedTool } from "../../../test/published-tool.ts";
import { vaultEntry } from "../../../test/vault-entry.ts";

async function exported() {
	const client = await createClient();
	await vaultEntry(client, "DESK");
	const toolId = await publishedTool(client.id, { parameters: { a: { type: "string" } } });
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "A", greeting: "Call {{$DESK}}", models: { llm: "language-a" } },
		tool_refs: [{ attachment_id: crypto.randomUUID(), tool_id: toolId, version: 1 }],
	});
	const { body: config } = await client.call<AgentConfig>("GET", `/v1/agents/${agent.id}/config`);
	return { ...client, agent, config, toolId };
}

test("an exported configuration can be imported unchanged", async () => {
	const { call, agent, config } = await exported();
	expect(config).not.toHaveProperty("id");
	await call("PATCH", `/v1/agents/${agent.id}`, { name: "old" });
	const { status, body } = await call<Agent>("POST", "/v1/agents/import", config);
	expect(status).toBe(201);
	expect(body.id).not.toBe(agent.id);
	expect((await call<AgentConfig>("GET", `/v1/agents/${body.id}/config`)).body).toEqual(config);
	const versions = await Promise.all(
		[agent.id, body.id].map((id) => call<AgentVersion>("GET", `/v1/agents/${id}/versions/1`)),
	);
	expect(versions.map(({ body }) => body.source)).toEqual(["api", "import"]);
	expect(versions[0]?.body.config_hash).toBe(versions[1]?.body.config_hash);
});

test("a dry run returns the planned agent and creates nothing", async () => {
	const { call, config, toolId } = await exported();
	const path = "/v1/agents/import?dry_run=true";
	const { status, body } = await call<ImportPlan>("POST", path, { ...config, name: "B" });
	expect(status).toBe(200);
	expect(body).toEqual({
		...{ dry_run: true, action: "create", name: "B" },
		config_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
		references: { tools: [{ tool_id: toolId, version: 1 }], mcp_tools: [], vault: ["DESK"] },
	});
	expect((await call<AgentListItem[]>("GET", "/v1/agents?name=B")).body).toEqual([]);
	const { body: made } = await call<Agent>("POST", "/v1/agents/import?dry_run=false", {
		...config,
		name: "B",
	});
	const { body: version } = await call<AgentVersion>("GET", `/v1/agents/${made.id}/versions/1`);
	expect(version.config_hash).toBe(body.config_hash);
});

test.each(["", "?dry_run=true"])("broken references are listed with their locations%s", async (query) => {
	const { call } = await createClient();
	const attachment = () => ({ attachment_id: crypto.randomUUID() });
	const [tool_id, server_id] = [crypto.randomUUID(), crypto.randomUUID()];
	const { status, body } = await call("POST", `/v1/agents/import${query}`, {
		...{ name: "A", greeting: "{{$DESK}} or {{ $FRONT }}" },
		tool_refs: [{ ...attachment(), tool_id, version: 3 }],
		mcp_refs: [
			{
				...attachment(),
				server_id,
				tool_name: "x",
				observed_schema_hash: "0".repeat(64),
			},
		],
	});
	expect([status, body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error.fields).toEqual([
		{ path: "tool_refs.0.tool_id", message: `Tool not found: ${tool_id}` },
		{ path: "mcp_refs.0.server_id", message: `MCP server not found: ${server_id}` },
		{ path: "greeting", message: "Vault entry not found: DESK" },
		{ path: "greeting", message: "Vault entry not found: FRONT" },
	]);
	expect((await call<AgentListItem[]>("GET", "/v1/agents")).body).toEqual([]);
});

test("another organisation's tool is a broken reference", async () => {
	const { config } = await exported();
	const other = await createClient();
	const { status, body } = await other.call("POST", "/v1/agents/import", config);
	expect(status).toBe(422);
	expect(body.error.fields?.map(({ path }) => path)).toEqual(["tool_refs.0.tool_id", "greeting"]);
});

test("an import accepts only a configuration", async () => {
	const { call, config } = await exported();
	const { body } = await call("POST", "/v1/agents/import", { ...config, status: "active" });
	expect(body.error.fields).toEqual([{ path: "status", message: "Unknown property" }]);
	expect((await call("POST", "/v1/agents/import?dry_run=perhaps", config)).body.error.fields).toMatchObject([
		{ path: "query.dry_run" },
	]);
});
