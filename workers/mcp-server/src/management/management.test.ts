import { env } from "cloudflare:workers";
import { DEFAULT_SCOPES, SCOPES } from "@parley/contracts/shared/scopes";
import { createOrganisation, issueKey } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { callMcp, send } from "../../test/client.ts";

const PATH = "/v1/mcp";

const list = async (key: string) => (await callMcp(PATH, key, "tools/list")).body.result?.tools ?? [];
const call = async (key: string, name: string, given: object) => {
	const { body } = await callMcp(PATH, key, "tools/call", { name, arguments: given });
	return body.result ?? body;
};
const parse = (result: Awaited<ReturnType<typeof call>>) =>
	JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "");

test("the management server offers exactly the allowed operations", async () => {
	const { key } = await createOrganisation(env.DB);
	expect((await list(key)).map(({ name }) => name)).toMatchInlineSnapshot(`
		[
		  "list_tools",
		  "create_tool",
		  "get_tool",
		  "update_tool",
		  "duplicate_tool",
		  "introspect_tool",
		  "publish_tool",
		  "get_tool_usage",
		  "list_tool_versions",
		  "get_tool_version",
		  "run_tool",
		  "run_tool_version",
		  "list_tool_runs",
		  "list_attachments",
		  "preview_upgrade",
		  "accept_upgrade",
		  "list_upgrades",
		  "list_mcp_servers",
		  "create_mcp_server",
		  "get_mcp_server",
		  "update_mcp_server",
		  "connect_mcp_server",
		  "list_capability_changes",
		  "export_agent",
		  "list_agent_versions",
		  "get_agent_version",
		  "accept_drift",
		  "list_calls",
		  "get_call",
		  "list_tool_calls",
		  "list_agents",
		  "create_agent",
		  "get_agent",
		  "update_agent",
		  "duplicate_agent",
		  "submit_job",
		  "list_jobs",
		  "get_job",
		  "cancel_job",
		  "get_transcript",
		  "search_transcripts",
		]
	`);
});

test("no tool deletes, manages keys or reads the vault", async () => {
	const { key } = await createOrganisation(env.DB);
	for (const { name } of await list(key)) expect(name).not.toMatch(/delete|key|secret|revoke|upload|webhook/);
});

test("a key sees only the tools that its scopes allow, and cannot call the others", async () => {
	const { id } = await createOrganisation(env.DB);
	const { key } = await issueKey(env.DB, id, { scopes: ["tools:read"] });
	const names = (await list(key)).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(["list_tools", "get_tool"]));
	expect(names).not.toContain("create_tool");
	expect(names).not.toContain("list_jobs");
	expect(await call(key, "create_tool", { body: { name: "x" } })).toMatchObject({
		error: { code: -32602, message: "Tool not found: create_tool" },
	});
	for (const scope of SCOPES) {
		const { key: narrow } = await issueKey(env.DB, id, { scopes: [scope] });
		expect([scope, await list(narrow)]).toEqual([scope, expect.any(Array)]);
	}
});

test("a tool is created, changed and listed through the management server", async () => {
	const { key } = await createOrganisation(env.DB);
	const config = {
		type: "api_request",
		url: "https://example.com/weather",
		http_method: "GET",
		parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
	};
	const body = { name: "weather", tool_type: "api_request", config };
	const created = parse(await call(key, "create_tool", { body }));
	expect(created).toMatchObject({ name: "weather", tool_type: "api_request" });
	const changed = await call(key, "update_tool", { tool_id: created.id, body: { description: "Tells it" } });
	expect(parse(changed)).toMatchObject({ description: "Tells it" });
	expect(parse(await call(key, "list_tools", { name: ["weather"], limit: 1 }))).toMatchObject([
		{ id: created.id },
	]);
});

test("the API's refusal is the result of the call, so that a model can correct itself", async () => {
	const { key } = await createOrganisation(env.DB);
	const refused = await call(key, "create_tool", { body: { name: "no spaces", tool_type: "end_call" } });
	expect(refused).toMatchObject({ isError: true });
	expect(parse(refused).error).toMatchObject({ code: "VALIDATION_FAILED" });
	const foreign = await createOrganisation(env.DB);
	const { id } = parse(
		await call(foreign.key, "create_tool", { body: { name: "own", tool_type: "end_call" } }),
	);
	const hidden = await call(key, "get_tool", { tool_id: id });
	expect(parse(hidden).error.code).toBe("RESOURCE_NOT_FOUND");
});

test.for([
	[{}, "tool_id: Is required"],
	[{ tool_id: "x", other: 1 }, "other: Unknown argument"],
	[{ tool_id: ".." }, "Path parameters must be non-empty texts or numbers"],
	[{ tool_id: { a: 1 } }, "Path parameters must be non-empty texts or numbers"],
	[{ tool_id: "../agents" }, "VALIDATION_FAILED"],
	[{ tool_id: "x?y=1#z" }, "VALIDATION_FAILED"],
])("get_tool refuses the arguments %j", async ([given, said]) => {
	const { key } = await createOrganisation(env.DB);
	const result = await call(key, "get_tool", given as object);
	expect(result).toMatchObject({ isError: true });
	expect(JSON.stringify(result)).toContain(said);
});

test("a request without a valid key is told where to get one", async () => {
	const { id, batchKey } = await createOrganisation(env.DB);
	const { status, headers } = await send(PATH, { jsonrpc: "2.0", id: 1, method: "tools/list" });
	expect([status, headers.get("www-authenticate")]).toEqual([
		401,
		'Bearer resource_metadata="https://parley.example/.well-known/oauth-protected-resource/v1/mcp"',
	]);
	expect((await callMcp(PATH, batchKey, "tools/list")).status).toBe(403);
	const { key } = await issueKey(env.DB, id, { expiresAt: "2020-01-01T00:00:00.000Z" });
	expect((await callMcp(PATH, key, "tools/list")).status).toBe(401);
});

test("every tool has a closed description and honest annotations", async () => {
	const { id } = await createOrganisation(env.DB);
	const { key } = await issueKey(env.DB, id, { scopes: DEFAULT_SCOPES });
	const tools = await list(key);
	for (const { name, inputSchema, annotations } of tools) {
		expect([name, inputSchema.type, JSON.stringify(inputSchema).includes("$ref")]).toEqual([
			name,
			"object",
			false,
		]);
		expect(name).toMatch(/^[a-z_]{3,64}$/);
		const isRead = /^(list|get|export|preview|search)_/.test(name);
		expect([name, annotations.readOnlyHint]).toEqual([name, isRead]);
	}
	expect(JSON.stringify(tools).length).toBeLessThan(150_000);
});
