import { env } from "cloudflare:workers";
import { type Agent, type AgentListItem, CreateAgent } from "@parley/contracts/agents/agents";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { mcpCatalogs } from "@parley/db/agents/mcp-servers";
import { openDatabase } from "@parley/db/client";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { HASH, healthyServer, setStatus } from "../../../test/healthy-server.ts";
import { createAgent } from "../agents.service.ts";

async function serverOwner() {
	const client = await createClient();
	const serverId = await healthyServer(client);
	const ref = (fields: object = {}) => ({
		...{ attachment_id: crypto.randomUUID(), server_id: serverId, tool_name: "search" },
		...{ observed_schema_hash: HASH, ...fields },
	});
	const attach = (...mcp_refs: object[]) => client.call<Agent>("POST", "/v1/agents", { name: "A", mcp_refs });
	return { ...client, serverId, ref, attach };
}

test("a tool of a healthy server is attached as it was observed", async () => {
	const { attach, ref, serverId } = await serverOwner();
	const written = ref({ argument_overrides: { query: "weather" } });
	const { status, body } = await attach(written);
	expect(status).toBe(201);
	const defaults = { description: "", invocation: "model", drifted: false, drift: null };
	expect(body.mcp_refs).toEqual([{ ...written, ...defaults }]);
	const db = openDatabase(env.DB);
	expect(await db.select().from(agentAttachments).where(eq(agentAttachments.agentId, body.id))).toMatchObject(
		[{ kind: "mcp", serverId, toolName: "search", observedSchemaHash: HASH, toolId: null, version: null }],
	);
});

test.each(["unknown", "unavailable", "invalid", "circuit_open"] as const)(
	"an attachment is rejected as retryable while the server is %s",
	async (state) => {
		const { attach, ref, serverId, call } = await serverOwner();
		await setStatus(serverId, state);
		const { status, body } = await attach(ref());
		expect([status, body.error.code, body.error.retryable]).toEqual([
			409,
			"MCP_CAPABILITY_UNAVAILABLE",
			true,
		]);
		expect(body.error.fields).toEqual([{ path: "mcp_refs.0.server_id", message: `The server is ${state}` }]);
		expect((await call<AgentListItem[]>("GET", "/v1/agents")).body).toEqual([]);
	},
);

test.each([
	[{ observed_schema_hash: "b".repeat(64) }, 409, "observed_schema_hash"],
	[{ tool_name: "find" }, 409, "tool_name"],
	[{ server_id: crypto.randomUUID() }, 422, "server_id"],
	[{ argument_overrides: { town: "x" } }, 422, "argument_overrides.town"],
	[{ observed_schema_hash: "short" }, 422, "observed_schema_hash"],
	[{ invocation: "system" }, 422, "invocation"],
])("an attachment with %j is rejected with %i", async (fields, expected, path) => {
	const { attach, ref } = await serverOwner();
	const { status, body } = await attach(ref(fields));
	expect([status, body.error.fields?.map((field) => field.path)]).toEqual([expected, [`mcp_refs.0.${path}`]]);
});

test("the error of an attachment names the problem with the server's tool", async () => {
	const { attach, ref } = await serverOwner();
	const said = async (fields: object) => (await attach(ref(fields))).body.error.fields?.[0]?.message;
	expect(await said({ argument_overrides: { town: "x" } })).toBe("The server's tool has no such argument");
	expect(await said({ observed_schema_hash: "b".repeat(64) })).toContain("use its current schema_hash");
});

test("an unchanged attachment stays valid while its server is unhealthy", async () => {
	const { attach, ref, serverId, call } = await serverOwner();
	const { body: agent } = await attach(ref());
	await setStatus(serverId, "unavailable");
	const path = `/v1/agents/${agent.id}`;
	expect((await call("PATCH", path, { greeting: "Hello" })).status).toBe(200);
	expect((await call("PATCH", path, { mcp_refs: [...agent.mcp_refs, ref()] })).status).toBe(409);
	expect((await call("PATCH", path, { status: "inactive" })).status).toBe(200);
	expect((await call("PATCH", path, { status: "active" })).status).toBe(200);
});

test("an agent whose server was deleted cannot be activated", async () => {
	const { attach, ref, serverId, call } = await serverOwner();
	const { body: agent } = await attach(ref());
	const path = `/v1/agents/${agent.id}`;
	await call("PATCH", path, { status: "inactive" });
	expect((await call("DELETE", `/v1/agents/mcp-servers/${serverId}`)).status).toBe(204);
	const { status, body } = await call("PATCH", path, { status: "active" });
	expect([status, body.error.fields]).toEqual([
		422,
		[{ path: "mcp_refs.0.server_id", message: `MCP server not found: ${serverId}` }],
	]);
	expect((await call("PATCH", path, { status: "active", mcp_refs: [] })).status).toBe(200);
});

test("another organisation's server is not found", async () => {
	const { ref, serverId } = await serverOwner();
	const other = await serverOwner();
	expect((await other.attach(ref())).body.error.fields).toEqual([
		{ path: "mcp_refs.0.server_id", message: `MCP server not found: ${serverId}` },
	]);
});

test("an attachment fails if the tool changes at the same moment", async () => {
	const { id, ctx, ref, serverId, call } = await serverOwner();
	const body = CreateAgent.parse({ name: "A", mcp_refs: [ref()] });
	const overtaken = ctx();
	const { batch } = overtaken.db;
	overtaken.db.batch = async (...statements) => {
		await openDatabase(env.DB)
			.update(mcpCatalogs)
			.set({ hashes: { search: "b".repeat(64) } })
			.where(eq(mcpCatalogs.serverId, serverId));
		return batch.apply(overtaken.db, statements) as never;
	};
	await expect(createAgent(overtaken, body)).rejects.toMatchObject({ code: "REVISION_CONFLICT" });
	expect((await call<AgentListItem[]>("GET", "/v1/agents")).body).toEqual([]);
	const another = CreateAgent.parse({
		name: "A",
		mcp_refs: [ref({ server_id: await healthyServer({ ...(await createClient()), id, call }) })],
	});
	expect(await breakEachWrite(env.DB, id, (db) => createAgent(ctx(db), another))).toBeGreaterThan(4);
});

test("the server of a deleted agent with a live call can be deleted", async () => {
	const { attach, ref, serverId, call } = await serverOwner();
	const { body: agent } = await attach(ref());
	await call("POST", `/v1/agents/${agent.id}/calls`, { direction: "inbound" });
	const deleteServer = () => call("DELETE", `/v1/agents/mcp-servers/${serverId}`);
	expect((await deleteServer()).body.error.code).toBe("MCP_SERVER_IN_USE");
	await call("DELETE", `/v1/agents/${agent.id}`);
	expect((await deleteServer()).status).toBe(204);
});
