import { env } from "cloudflare:workers";
import { toBase64Url } from "@parley/bytes/base64";
import { newId } from "@parley/db/id";
import { createOrganisation, issueKey } from "@parley/testing/organisation";
import { beforeAll, expect, test } from "vitest";
import { createLiveAgent } from "../../test/agent.ts";
import { callMcp, send } from "../../test/client.ts";
import { ORIGIN, redeem, register, requestOf, visitConsent } from "../../test/oauth-client.ts";
import { toCallToolResult, toMcpTool } from "./agent.service.ts";

let agent: Awaited<ReturnType<typeof createLiveAgent>>;
beforeAll(async () => {
	agent = await createLiveAgent();
});

const CLIENT = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
const call = async (name: string, given: object = {}, key = agent.key) =>
	(await callMcp(agent.path, key, "tools/call", { name, arguments: given })).body;

const metaOf = ({ result }: Awaited<ReturnType<typeof call>>) =>
	(result?._meta ?? {}) as Record<string, unknown>;

test("initialize describes the agent, with its prompt resolved", async () => {
	const initialize = async (headers: Record<string, string> = {}) => {
		const params = { protocolVersion: "2025-06-18", ...CLIENT };
		return (await callMcp(agent.path, agent.key, "initialize", params, headers)).body.result;
	};
	expect(await initialize()).toMatchObject({
		...{ protocolVersion: "2025-06-18", serverInfo: { name: "Front desk", version: "1" } },
		instructions: "You serve {{customer}} of Acme.",
	});
	const variables = toBase64Url(new TextEncoder().encode('{"customer":"Ada"}'));
	expect(await initialize({ "x-parley-variables": variables })).toMatchObject({
		instructions: "You serve Ada of Acme.",
	});
	const refused = await send(
		agent.path,
		{},
		{ authorization: `Bearer ${agent.key}`, "x-parley-variables": "?" },
	);
	expect([refused.status, refused.body.error]).toMatchObject([422, { code: "VALIDATION_FAILED" }]);
});

test("tools/list is the toolset, in attachment order", async () => {
	const { body } = await callMcp(agent.path, agent.key, "tools/list");
	expect(body.result?.tools).toMatchObject([
		{ name: "get_time", description: expect.stringContaining("The tool get_time") },
		{ name: "watch", inputSchema: { type: "object" } },
	]);
	expect((await callMcp(agent.path, agent.key, "tools/list")).body).toEqual(body);
});

test("tools/call answers with text, ids and the directive", async () => {
	const { result } = await call("get_time");
	expect(result?.content[0]?.text).toContain("Europe/Oslo");
	expect(result).not.toHaveProperty("isError");
	expect(result?._meta).toEqual({
		"parley/tool_call_id": expect.stringMatching(/^[\da-f-]{36}$/),
		"parley/tool_id": expect.stringMatching(/^[\da-f-]{36}$/),
		...{ "parley/version": 1, "parley/directive": null },
	});
	const watch = await call("watch");
	expect(watch.result?._meta).toMatchObject({
		"parley/directive": { type: "voicemail_detection", max_wait_seconds: 7 },
	});
	// The record is written after the answer.
	const listRecords = async () => {
		type Page = { items: { id: string }[] };
		const { items } = await agent.call<Page>("GET", `/${agent.agentId}/tool-calls`);
		return items.map(({ id }) => id);
	};
	await expect.poll(listRecords).toContain(metaOf(watch)["parley/tool_call_id"]);
});

test("arguments that do not match are a result that the model can mend", async () => {
	const { result } = await call("get_time", { no: "such" });
	expect(result).toMatchObject({ isError: true });
	expect(result?.content[0]?.text).toContain("no");
});

test("a tool that the agent does not have is a fault of the request", async () => {
	expect(await call("no_such")).toMatchObject({
		error: { code: -32602, message: "Tool not found: no_such" },
	});
});

test("each revision is served", async () => {
	const meta = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const modern = (method: string, params: object = {}, name?: string) =>
		callMcp(
			agent.path,
			agent.key,
			method,
			{ ...params, _meta: meta },
			{
				"mcp-protocol-version": "2026-07-28",
				"mcp-method": method,
				...(name !== undefined && { "mcp-name": name }),
			},
		);
	expect((await modern("server/discover")).body.result).toMatchObject({
		...{ supportedVersions: ["2026-07-28"], instructions: "You serve {{customer}} of Acme." },
	});
	expect((await modern("tools/list")).body.result).toMatchObject({ ttlMs: 8000, cacheScope: "private" });
	const called = await modern("tools/call", { name: "watch", arguments: {} }, "watch");
	expect(called.body.result?._meta).toMatchObject({ "parley/directive": { type: "voicemail_detection" } });
});

test("an agent of another organisation, and one that does not exist, are not found", async () => {
	const other = await createOrganisation(env.DB);
	for (const [path, key] of [
		[agent.path, other.key],
		[`/v1/agents/${newId()}/mcp`, agent.key],
	] as const)
		for (const method of ["initialize", "tools/list"]) {
			const params = { protocolVersion: "2025-11-25", ...CLIENT };
			const { status, body } = await callMcp(path, key, method, params);
			expect([method, status, body.error?.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"]);
		}
	const called = await callMcp(agent.path, other.key, "tools/call", { name: "watch", arguments: {} });
	expect([called.status, called.body.error?.code]).toEqual([200, -32602]);
	const pinged = await callMcp(agent.path, other.key, "ping");
	expect([pinged.status, pinged.body.result]).toEqual([200, {}]);
	expect((await callMcp("/v1/agents/x/mcp", agent.key, "tools/list")).status).toBe(422);
});

test("an inactive agent is refused, and a key without the scope too", async () => {
	const inactive = await createLiveAgent({ status: "inactive" });
	const { status, body } = await callMcp(inactive.path, inactive.key, "tools/list");
	expect([status, body.error?.code]).toEqual([409, "AGENT_INACTIVE"]);
	const { key } = await issueKey(env.DB, agent.id, { scopes: ["tools:read"] });
	expect((await callMcp(agent.path, key, "tools/list")).status).toBe(403);
});

test("an access token for an agent works at its endpoint alone, with that one scope", async () => {
	const consent = await visitConsent(agent.id);
	const { body: client } = await register();
	const resource = ORIGIN + agent.path;
	const query = await requestOf(client.client_id, { resource });
	expect((await consent.describe(query)).body).toMatchObject({
		...{ scopes: ["runtime:use"], resource: { agent: { id: agent.agentId, name: "Front desk" } } },
	});
	const { body: tokens } = await redeem(client.client_id, await consent.approve(query));
	expect(tokens).toMatchObject({ scope: "runtime:use", resource });
	const used = await callMcp(agent.path, tokens.access_token, "tools/call", { name: "watch", arguments: {} });
	expect(used.body.result?._meta).toMatchObject({ "parley/directive": { type: "voicemail_detection" } });
	const second = await createLiveAgent();
	for (const path of ["/v1/mcp", second.path, `/v1/agents/${newId()}/mcp`]) {
		const { status, headers } = await callMcp(path, tokens.access_token, "tools/list");
		expect([path, status, headers.get("www-authenticate")]).toEqual([
			...[path, 401],
			`Bearer error="invalid_token", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource${path}"`,
		]);
	}
	const viewer = await visitConsent(agent.id, "viewer");
	expect((await viewer.describe(query)).status).toBe(403);
});

test("outcomes are written as MCP has them", () => {
	const value = {
		...{
			id: "c",
			tool_id: "t",
			version: null,
			output: { a: 1 },
			content: '{"a":1}',
			directive: null,
			error: null,
		},
		...{ status: "succeeded" as const, has_output_schema: true },
	};
	const written = (changes: object) => toCallToolResult("x", { ok: true, value: { ...value, ...changes } });
	expect(written({})).toMatchObject({
		structuredContent: { a: 1 },
		content: [{ type: "text", text: '{"a":1}' }],
	});
	expect(written({ has_output_schema: false })).not.toHaveProperty("structuredContent");
	expect(written({ output: [1] })).not.toHaveProperty("structuredContent");
	expect(written({ content: "" })).toEqual({ content: [], _meta: expect.anything() });
	for (const status of ["failed", "timed_out", "rejected"])
		expect(written({ status })).toMatchObject({ isError: true });
	expect(written({ status: "failed" })).not.toHaveProperty("structuredContent");
	const refusal = { code: "RATE_LIMITED" as const, message: "Too many calls" };
	expect(toCallToolResult("x", { ok: false, refusal })).toEqual({
		...{ content: [{ type: "text", text: "Too many calls" }], isError: true },
	});
});

test("a tool's keyword x-mcp-header is not published, and an argument of that name is", () => {
	const region = { type: "string", "x-mcp-header": "Region" };
	const parameters = { type: "object", properties: { region, "x-mcp-header": { type: "string" } } };
	const { inputSchema } = toMcpTool({ name: "a", description: "", parameters });
	expect(inputSchema).toEqual({
		...{ type: "object", properties: { region: { type: "string" }, "x-mcp-header": { type: "string" } } },
	});
});
