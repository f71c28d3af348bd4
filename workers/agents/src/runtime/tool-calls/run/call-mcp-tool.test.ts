import { env } from "cloudflare:workers";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { openDatabase } from "@parley/db/client";
import { createPeer, type Plan } from "@parley/testing/mcp-peers/create-peer";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../../../test/client.ts";
import { inSession, liveAgent } from "../../../../test/live-agent.ts";
import { attach, connect, registerServer } from "../../../../test/mcp-servers.ts";
import { putSecret } from "../../../../test/tools.ts";
import { callTool } from "../call-tool.ts";

const SEARCH = {
	name: "search",
	inputSchema: {
		type: "object" as const,
		properties: { query: { type: "string" }, shop: { type: "string" } },
		required: ["query"],
	},
};

type Kind = "stateless" | "session";

/** Creates an agent with the tool `search` of a real MCP server. */
async function searchAgent(kind: Kind, plan: Plan = {}, ref: object = {}, config: object = {}) {
	const [client, peer] = [await createClient(), createPeer()];
	await putSecret(client, "SHOP_KEY", "key-value-991");
	await peer.plan({ tools: [SEARCH], ...plan });
	const registered = await registerServer(client, peer.official(kind), config);
	const { capabilities } = await connect(client, registered);
	const live = await liveAgent(client, {
		mcp_refs: [{ ...attach(registered, capabilities.tools[0]!), ...ref }],
	});
	return { client, peer, server: registered, ...live };
}

test.for(["stateless", "session"] as const)("a tool of a %s server is called and recorded", async (kind) => {
	const { call, recordOf, server } = await searchAgent(kind);
	const { status, body } = await call("search", { arguments: { query: "shoes" } });
	expect([status, body]).toMatchObject([
		200,
		{ status: "succeeded", tool_id: server.id, version: null, output: { text: '{"query":"shoes"}' } },
	]);
	expect(body.content).toBe('{"query":"shoes"}');
	expect(await recordOf(body.id)).toMatchObject({ status: "succeeded", arguments: { query: "shoes" } });
});

test("structured content is the output", async () => {
	const result = { content: [{ type: "text", text: "3 found" }], structuredContent: { found: 3 } };
	const { call } = await searchAgent("stateless", { calls: { search: { result } } });
	const { body } = await call("search", { arguments: { query: "shoes" } });
	expect(body).toMatchObject({ output: { found: 3 }, content: '{"found":3}' });
});

test("fixed arguments replace the model's, and what the server echoes of a secret is redacted", async () => {
	const { client, agent, recordOf } = await searchAgent(
		"stateless",
		{},
		{
			argument_overrides: { shop: "{{shop}}-{{$SHOP_KEY}}" },
		},
	);
	const ctx = inSession(client.ctx(), agent.id, { variables: { shop: "oslo" } });
	const body = { arguments: { query: "shoes", shop: "mine" }, deadline_ms: 10_000 };
	const result = await callTool(ctx, { agentId: agent.id, name: "search", body });
	expect(result.content).toBe('{"shop":"oslo-[redacted]","query":"shoes"}');
	expect(JSON.stringify(await recordOf(result.id))).not.toContain("key-value-991");
});

test("a server that answers with its own credential does not get it past Parley", async () => {
	const leak = { content: [{ type: "text", text: "your header was Bearer key-value-991" }] };
	const { call, recordOf } = await searchAgent(
		"session",
		{ calls: { search: { result: leak } } },
		{},
		{ auth: { type: "bearer", secret_name: "SHOP_KEY" } },
	);
	const { body } = await call("search", { arguments: { query: "a" } });
	expect(body.content).toBe("your header was Bearer [redacted]");
	expect(JSON.stringify([body, await recordOf(body.id)])).not.toContain("key-value-991");
});

test("arguments that do not match the server's schema are rejected before the server hears of them", async () => {
	const { call, peer } = await searchAgent("stateless");
	const before = (await peer.seen()).length;
	const { body } = await call("search", { arguments: { query: 5 } });
	expect([body.status, body.error?.fields?.map(({ path }) => path)]).toEqual([
		"rejected",
		["arguments.query"],
	]);
	expect((await peer.seen()).length).toBe(before);
});

test("an error of the tool and a protocol error both fail the call with the server's words", async () => {
	const isError = { isError: true, content: [{ type: "text", text: "out of stock" }] };
	const refused = await searchAgent("session", { calls: { search: { result: isError } } });
	expect((await refused.call("search", { arguments: { query: "a" } })).body).toMatchObject({
		...{ status: "failed", content: "The tool failed: out of stock" },
		error: { code: "MCP_TOOL_ERROR", message: "out of stock" },
	});
	const broken = await searchAgent("session", { calls: { search: { error: "boom" } } });
	const { body } = await broken.call("search", { arguments: { query: "a" } });
	expect([body.status, body.error?.code]).toEqual(["failed", "MCP_TOOL_ERROR"]);
	expect(body.error?.message).toContain("boom");
});

test("a server that is too slow ends the call at its deadline", async () => {
	const { call } = await searchAgent("stateless", { calls: { search: { delayMs: 5_000 } } });
	const { body } = await call("search", { arguments: { query: "a" }, deadline_ms: 1_000 });
	expect([body.status, body.error?.code]).toEqual(["timed_out", "TIMED_OUT"]);
	expect(body.latency_ms).toBeLessThan(3_000);
});

test("a server that is down fails the call, and after five failures its circuit answers at once with the diagnosis", async () => {
	const { call, server } = await searchAgent("stateless");
	const down = { urlTemplate: "http://127.0.0.1:1024/mcp", capabilityError: DIAGNOSIS };
	await openDatabase(env.DB).update(mcpServers).set(down).where(eq(mcpServers.id, server.id));
	const results = [];
	// The first call may still use the address that was read seconds ago.
	for (let i = 0; i < 6; i++) results.push((await call("search", { arguments: { query: "a" } })).body);
	expect(results[4]?.error?.code).toMatch(/^MCP_/);
	const last = (await call("search", { arguments: { query: "a" } })).body;
	expect(last).toMatchObject({ status: "failed", error: { code: "MCP_CIRCUIT_OPEN" } });
	expect(last.error?.message).toContain(DIAGNOSIS.message);
});

const DIAGNOSIS = {
	...{
		code: "connect_failed" as const,
		message: "The connection was refused. Check the port.",
		stage: "connect" as const,
	},
	...{ http_status: null, retryable: true },
};

test("a session with mocks never reaches an MCP server", async () => {
	const { client, agent, peer } = await searchAgent("stateless");
	const before = (await peer.seen()).length;
	const ctx = inSession(client.ctx(), agent.id, { mocks: true });
	const body = { arguments: { query: "a" }, deadline_ms: 10_000 };
	const result = await callTool(ctx, { agentId: agent.id, name: "search", body });
	expect(result).toMatchObject({ status: "failed", error: { code: "MOCK_MISSING" } });
	expect((await peer.seen()).length).toBe(before);
});

test("a tool that has drifted is not called", async () => {
	const { client, agent, call, peer, server } = await searchAgent("stateless");
	await peer.plan({ tools: [{ ...SEARCH, description: "does something else now" }] });
	await connect(client, server);
	const { body } = await call("search", { arguments: { query: "a" } });
	expect(body).toMatchObject({ status: "failed", error: { code: "MCP_TOOL_DRIFTED" } });
	expect(agent.mcp_refs).toHaveLength(1);
});
