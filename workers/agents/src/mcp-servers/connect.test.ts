import { ConnectResult, McpServer } from "@parley/contracts/mcp-servers";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { connect, createPeer, everythingUrl, readServer, registerServer } from "../../test/mcp/servers.ts";

const SECRET = "s3cr3t-canary-9c2e71";
const tool = (name: string) => ({
	name,
	description: `does ${name}`,
	inputSchema: { type: "object" as const },
});

test.for([
	["streamable_http", "streamableHttp"],
	["sse", "sse"],
] as const)("the reference server is healthy over %s", async ([transport, started]) => {
	const client = await createClient();
	const server = await registerServer(client, await everythingUrl(started), { transport });
	const result = await connect(client, server);
	expect(ConnectResult.parse(result)).toEqual(result);
	expect(result, JSON.stringify(result)).toMatchObject({ status: "connected", era: "session", error: null });
	expect(result.server_info?.name).toMatch(/everything/);
	expect(result.capabilities.tools.map(({ name }) => name)).toContain("echo");
	const stored = await readServer(client, server);
	expect(McpServer.parse(stored)).toEqual(stored);
	expect(stored).toMatchObject({
		capability_status: "healthy",
		capability_revision: 1,
		capability_tool_count: result.capabilities.tools.length,
		capabilities: result.capabilities,
		capability_error: null,
		next_refresh_at: null,
	});
});

test.for([
	["stateless", "2026-07-28", "stateless"],
	["both", "2026-07-28", "stateless"],
	["session", "2025-11-25", "session"],
	["sse", "2025-11-25", "session"],
] as const)("an official server of kind %s agrees on %s", async ([kind, version, era]) => {
	const [client, peer] = [await createClient(), createPeer()];
	await peer.plan({ tools: [tool("a"), tool("b"), tool("c")], pageSize: 2 });
	const transport = kind === "sse" ? "sse" : "streamable_http";
	const server = await registerServer(client, peer.official(kind), { transport });
	const result = await connect(client, server);
	expect(result, JSON.stringify(result)).toMatchObject({
		...{ status: "connected", protocol_version: version, era, error: null },
		server_info: { name: "official", version: "1.2.3" },
		capabilities: { truncated: false, pages_fetched: 2 },
		changes: { added: ["a", "b", "c"], removed: [], changed: [] },
	});
	expect(result.capabilities.tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test("credentials come from the vault, in every place that may name one", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	const put = (name: string, value: string, kind = "secret") =>
		client.call("POST", "/v1/agents/secrets", { name, value, kind });
	await Promise.all([put("TOKEN", SECRET), put("KEY", "another-secret"), put("PEER", peer.id, "variable")]);
	await peer.plan({
		tools: [tool("a")],
		headers: { authorization: `Bearer ${SECRET}`, "x-key": "another-secret", "x-peer": `peer ${peer.id}` },
	});
	const server = await registerServer(client, peer.official("stateless").replace(peer.id, "{{$PEER}}"), {
		auth: { type: "bearer", secret_name: "TOKEN" },
		headers: [
			{ name: "X-Key", secret_name: "KEY" },
			{ name: "X-Peer", value: "peer {{ $PEER }}" },
		],
	});
	const result = await connect(client, server);
	expect(result, JSON.stringify(result)).toMatchObject({ status: "connected", error: null });
	const texts = JSON.stringify([result, await readServer(client, server)]);
	for (const value of [SECRET, "another-secret"]) expect(texts).not.toContain(value);
	// A variable is readable, and tells where the request went.
	expect(result.events[0]?.summary).toContain(`POST ${peer.official("stateless")} with`);
	expect(server.url_template).toContain("{{$PEER}}");
	expect(result.events[0]?.summary).toContain("authorization");
});
