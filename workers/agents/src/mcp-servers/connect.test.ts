import { CapabilityChangePage, ConnectResult, McpServer } from "@parley/contracts/agents/mcp-servers";
import { createPeer, everythingUrl } from "@parley/testing/mcp-peers/create-peer";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient } from "../../test/client.ts";
import { connect, readServer, registerServer } from "../../test/mcp-servers.ts";

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

test("credentials come from the vault in every place that may name an entry", async () => {
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
	// A variable is readable, so it may show where the request went.
	expect(result.events[0]?.summary).toContain(`POST ${peer.official("stateless")} with`);
	expect(server.url_template).toContain("{{$PEER}}");
	expect(result.events[0]?.summary).toContain("authorization");
});

test("changes of the tool list are paged, newest first, with a diff of each changed tool", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	const server = await registerServer(client, peer.official("stateless"));
	await peer.plan({ tools: [tool("a")] });
	await connect(client, server);
	await peer.plan({ tools: [{ ...tool("a"), annotations: { destructiveHint: true } }, tool("b")] });
	const { changes } = await connect(client, server);
	const list = async (query = "") => {
		const path = `/v1/agents/mcp-servers/${server.id}/capability-changes${query}`;
		return (await client.call<z.infer<typeof CapabilityChangePage>>("GET", path)).body;
	};
	const { items, meta } = await list();
	expect(CapabilityChangePage.parse({ items, meta })).toEqual({ items, meta });
	expect(items).toMatchObject([
		{
			...{ capability_revision: 2, ...changes, added: ["b"], removed: [], changed: ["a"] },
			diffs: [{ name: "a", differences: [{ op: "changed", path: "/annotations", from: null }] }],
		},
		{ capability_revision: 1, added: ["a"], removed: [], changed: [], diffs: [] },
	]);
	expect(meta).toEqual({ page: 1, page_size: 20, total: 2, pages: 1 });
	expect((await list("?page=2&page_size=1")).items).toEqual([items[1]]);
});

test("a secret that a server echoes is neither in the tool list nor in the audit log", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	await client.call("POST", "/v1/agents/secrets", { name: "TOKEN", value: SECRET });
	const auth = { type: "bearer", secret_name: "TOKEN" } as const;
	await connect(client, await registerServer(client, peer.hostile("echo"), { auth }));
	for (const path of ["mcp-servers", "audit-log"])
		expect(JSON.stringify((await client.call("GET", `/v1/agents/${path}`)).body)).not.toContain(SECRET);
});
