import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { Call } from "@parley/contracts/agents/calls";
import { CreateMcpServer, McpServer, type McpServerListItem } from "@parley/contracts/agents/mcp-servers";
import type { VaultReference } from "@parley/contracts/agents/secrets";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { createPeer } from "@parley/testing/mcp-peers/create-peer";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { attach, connect, readServer, registerServer } from "../../test/mcp-servers.ts";
import { deleteMcpServer } from "./delete-mcp-server.ts";
import { createMcpServer, updateMcpServer } from "./write-mcp-server.ts";

const URL = "https://{{$HOST}}/mcp/{{ $TENANT }}?key={{$KEY}}";
const server = (id: string) => `/v1/agents/mcp-servers/${id}`;

test("a server created with a name and an address has every default and keeps its placeholders", async () => {
	const client = await createClient();
	const created = await registerServer(client, URL, { name: "crm" });
	expect(McpServer.parse(created)).toEqual(created);
	expect(created).toEqual({
		...{
			id: expect.any(String),
			organisation_id: client.id,
			name: "crm",
			description: "",
			url_template: URL,
		},
		...{ transport: "streamable_http", auth: { type: "none" }, headers: [], revision: 1 },
		...{ capability_status: "unknown", capability_revision: 0, capability_tool_count: 0 },
		...{ capability_observed_at: null, capability_attempted_at: null, capability_error: null },
		...{ next_refresh_at: null, capabilities: { tools: [], truncated: false, pages_fetched: 0 } },
		...{ created_at: expect.any(String), updated_at: created.created_at },
	});
	expect(await readServer(client, created)).toEqual(created);
});

test.for<[string, object, string]>([
	["an address that is not https", { url_template: "ftp://x.example/" }, "url_template"],
	["user info in the address", { url_template: "https://me:pw@x.example/" }, "url_template"],
	["a private address", { url_template: "https://10.0.0.1/mcp" }, "url_template"],
	["an address of metadata", { url_template: "http://169.254.169.254/{{$PATH}}" }, "url_template"],
	["a name of a private network", { url_template: "https://crm.internal/mcp" }, "url_template"],
	["http to a public host", { url_template: "http://x.example/mcp" }, "url_template"],
	["http to a public host with a placeholder", { url_template: "http://{{$A}}.x.example/" }, "url_template"],
	["a path of the host's network", { url_template: "https://x.example/cdn-cgi/{{$A}}" }, "url_template"],
	["a placeholder that is no vault name", { url_template: "https://x.example/{{tenant}}" }, "url_template"],
	["a malformed placeholder", { url_template: "https://x.example/{{$lower}}" }, "url_template"],
	["a placeholder in a query name", { url_template: "https://x.example/?{{$KEY}}=1" }, "url_template"],
	["a header of the connection", { headers: [{ name: "Host", value: "x" }] }, "headers.0.name"],
	["a header of the protocol", { headers: [{ name: "Mcp-Session-Id", value: "x" }] }, "headers.0.name"],
	[
		"a header given twice",
		{
			headers: [
				{ name: "A", value: "" },
				{ name: "a", value: "" },
			],
		},
		"headers.1.name",
	],
	["a header with neither a value nor a secret", { headers: [{ name: "A" }] }, "headers.0"],
	["a header with both", { headers: [{ name: "A", value: "x", secret_name: "T" }] }, "headers.0"],
	["a line break in a header", { headers: [{ name: "A", value: "x\r\ny" }] }, "headers.0.value"],
	["an argument in a header", { headers: [{ name: "A", value: "{{x}}" }] }, "headers.0.value"],
	[
		"an Authorization header besides bearer auth",
		{ auth: { type: "bearer", secret_name: "T" }, headers: [{ name: "authorization", value: "x" }] },
		"headers.0.name",
	],
	[
		"a header that auth already sets",
		{
			auth: { type: "header", header_name: "X-Key", secret_name: "T" },
			headers: [{ name: "x-key", value: "x" }],
		},
		"headers.0.name",
	],
	[
		"a protocol header as credential",
		{ auth: { type: "header", header_name: "mcp-x", secret_name: "T" } },
		"auth.header_name",
	],
	[
		"a value in place of a secret's name",
		{ auth: { type: "bearer", secret_name: "not a name" } },
		"auth.secret_name",
	],
	["an unknown transport", { transport: "stdio" }, "transport"],
	["an empty name", { name: "" }, "name"],
])("%s is rejected by field name on creation and update", async ([, body, path]) => {
	const client = await createClient();
	const valid = { name: "a", url_template: "https://x.example/mcp" };
	const { id } = await registerServer(client, valid.url_template);
	for (const [method, target] of [
		["POST", "/v1/agents/mcp-servers"],
		["PATCH", server(id)],
	] as const) {
		const { status, body: answer } = await client.call(
			method,
			target,
			method === "POST" ? { ...valid, ...body } : body,
		);
		expect([status, answer.error.code]).toEqual([422, "VALIDATION_FAILED"]);
		expect(answer.error.fields?.map((field) => field.path)).toContain(path);
	}
});

test("a list is ordered by name, paged and filtered by exact names", async () => {
	const client = await createClient();
	const names = ["b", "A", "a", "c c", "ä"];
	for (const name of names) await registerServer(client, "https://x.example/mcp", { name });
	const list = async (query = "") =>
		(await client.call<McpServerListItem[]>("GET", `/v1/agents/mcp-servers${query}`)).body.map(
			({ name }) => name,
		);
	expect(await list()).toEqual(["A", "a", "b", "c c", "ä"]);
	expect(await list("?limit=2&offset=1")).toEqual(["a", "b"]);
	expect(await list("?name=a&name=c%20c&name=B")).toEqual(["a", "c c"]);
	expect(await list("?name=a&name=b&offset=1")).toEqual(["b"]);
	for (const query of [
		"?limit=0",
		"?limit=201",
		"?offset=10001",
		"?name=",
		`?name=${"x".repeat(129)}`,
		"?page=1",
	])
		expect((await client.call("GET", `/v1/agents/mcp-servers${query}`)).status).toBe(422);
	const [item] = (await client.call<McpServerListItem[]>("GET", "/v1/agents/mcp-servers?limit=1")).body;
	expect(Object.keys(item ?? {})).toEqual([
		...["id", "name", "url_template", "transport", "revision", "capability_status"],
		...["capability_observed_at", "capability_tool_count"],
	]);
});

test("a name is unique among live servers, even with concurrent creations", async () => {
	const client = await createClient();
	const make = () =>
		client.call<McpServer>("POST", "/v1/agents/mcp-servers", {
			name: "a",
			url_template: "https://x.example",
		});
	const answers = await Promise.all(Array.from({ length: 8 }, make));
	expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
	for (const { status, body } of answers.filter(({ status }) => status !== 201))
		expect([status, body.error.code]).toEqual([409, "MCP_SERVER_NAME_CONFLICT"]);
	const made = answers.find(({ status }) => status === 201)!.body;
	expect((await client.call("DELETE", server(made.id))).status).toBe(204);
	expect((await make()).status).toBe(201);
});

test("an update increases the revision and resets the health but keeps the last good list", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	await peer.plan({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
	const created = await registerServer(client, peer.official("stateless"));
	await connect(client, created);
	const before = await readServer(client, created);
	const { body: same } = await client.call<McpServer>("PATCH", server(created.id), {
		name: created.name,
	});
	expect(same).toEqual(before);
	const { status, body } = await client.call<McpServer>("PATCH", server(created.id), {
		description: "d",
	});
	expect(status).toBe(200);
	expect(body).toEqual({
		...before,
		...{ description: "d", revision: 2, capability_status: "unknown", updated_at: body.updated_at },
	});
	expect(body.capabilities.tools).toHaveLength(1);
});

test("an outdated ETag prevents overwriting a changed server", async () => {
	const client = await createClient();
	const created = await registerServer(client, "https://x.example/mcp");
	const etag = (await client.call("GET", server(created.id))).headers.get("etag") ?? "";
	const change = (name: string, tag: string) =>
		client.call("PATCH", server(created.id), { name }, { "if-match": tag });
	expect((await change("one", etag)).status).toBe(200);
	const { status, body } = await change("two", etag);
	expect([status, body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
	expect((await client.call("DELETE", server(created.id), undefined, { "if-match": etag })).status).toBe(412);
	expect((await client.call("GET", server(created.id), undefined, { "if-none-match": "*" })).status).toBe(
		304,
	);
});

test("a server used by an active agent or a live call cannot be deleted, and the error names the user", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	await peer.plan({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
	const created = await registerServer(client, peer.official("stateless"));
	const { capabilities } = await connect(client, created);
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		name: "A",
		mcp_refs: [attach(created, capabilities.tools[0]!)],
	});
	const location = `mcp_refs.${agent.mcp_refs[0]?.attachment_id}`;
	const refusal = async () => {
		const { status, body } = await client.call("DELETE", server(created.id));
		return [status, body.error.code, body.error.blockers];
	};
	const byAgent = { resource_type: "agent", resource_id: agent.id, resource_name: "A", location };
	expect(await refusal()).toEqual([409, "MCP_SERVER_IN_USE", [byAgent]]);

	const { body: call } = await client.call<Call>("POST", `/v1/agents/${agent.id}/calls`, {
		direction: "inbound",
	});
	const byCall = { resource_type: "call", resource_id: call.id, resource_name: "A", location };
	expect(await refusal()).toEqual([409, "MCP_SERVER_IN_USE", [byAgent, byCall]]);
	await client.call("PATCH", `/v1/agents/${agent.id}`, { mcp_refs: [] });
	expect(await refusal()).toEqual([409, "MCP_SERVER_IN_USE", [byCall]]);
	await client.call("PATCH", `/v1/agents/${agent.id}/calls/${call.id}`, { status: "cancelled" });
	expect((await client.call("DELETE", server(created.id))).status).toBe(204);
});

test("an inactive agent does not block the deletion of a server", async () => {
	const [client, peer] = [await createClient(), createPeer()];
	await peer.plan({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
	const created = await registerServer(client, peer.official("stateless"));
	const { capabilities } = await connect(client, created);
	const mcp_refs = [attach(created, capabilities.tools[0]!)];
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		name: "A",
		status: "inactive",
		mcp_refs,
	});
	expect((await client.call("DELETE", server(created.id))).status).toBe(204);
	expect((await client.call("GET", server(created.id))).status).toBe(404);
	expect((await client.call("POST", `${server(created.id)}/connect`)).status).toBe(404);
	const { status, body } = await client.call("PATCH", `/v1/agents/${agent.id}`, { status: "active" });
	expect([status, body.error.fields?.map(({ path }) => path)]).toEqual([422, ["mcp_refs.0.server_id"]]);
});

test("the vault lists a server's use of an entry and blocks its deletion", async () => {
	const client = await createClient();
	await client.call("POST", "/v1/agents/secrets", { name: "TOKEN", value: "v-a-l-u-e" });
	const created = await registerServer(client, "https://x.example/{{$TOKEN}}", {
		name: "crm",
		auth: { type: "bearer", secret_name: "TOKEN" },
		headers: [
			{ name: "X-A", value: "a {{$TOKEN}}" },
			{ name: "X-B", secret_name: "TOKEN" },
		],
	});
	const { body } = await client.call<VaultReference[]>("GET", "/v1/agents/secrets/TOKEN/references");
	expect(body.map(({ location }) => location).sort()).toEqual([
		...["auth.secret_name", "headers.0.value", "headers.1.secret_name", "url_template"],
	]);
	for (const reference of body)
		expect(reference).toMatchObject({
			resource_type: "mcp_server",
			resource_id: created.id,
			resource_name: "crm",
			classification: "active",
			blocks_delete: true,
		});
	expect((await client.call("DELETE", "/v1/agents/secrets/TOKEN")).status).toBe(409);
	await client.call("DELETE", server(created.id));
	expect((await client.call("DELETE", "/v1/agents/secrets/TOKEN")).status).toBe(204);
});

test("every change of a server is written completely or not at all", async () => {
	const client = await createClient();
	await client.call("POST", "/v1/agents/secrets", { name: "KEY", value: "v-a-l-u-e" });
	const body = CreateMcpServer.parse({ name: "a", url_template: "https://x.example/{{$KEY}}" });
	await breakEachWrite(env.DB, client.id, (db) => createMcpServer(client.ctx(db), body));
	const [{ id }] = (await client.call<[McpServerListItem]>("GET", "/v1/agents/mcp-servers")).body;
	await breakEachWrite(env.DB, client.id, (db) => updateMcpServer(client.ctx(db), id, { description: "d" }));
	await breakEachWrite(env.DB, client.id, (db) => deleteMcpServer(client.ctx(db), id));
});
