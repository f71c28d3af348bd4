import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { OpenedRuntimeSession } from "@parley/contracts/agents/runtime-sessions";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import type { Toolset } from "@parley/contracts/agents/toolsets";
import { mcpCatalogs } from "@parley/db/agents/mcp-servers";
import { openDatabase } from "@parley/db/client";
import { issueAgentKey } from "@parley/testing/agent-credentials";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Client, createClient, request } from "../../../test/client.ts";
import { HASH, healthyServer } from "../../../test/healthy-server.ts";
import { publishedTool } from "../../../test/published-tool.ts";
import { CURATED_TOOLS } from "../../tools/curated-tools.ts";
import { forgetAgent } from "../in-force/agent-in-force.ts";

type Json = Record<string, unknown>;
const text = { type: "string" };
const CITY = {
	type: "object",
	properties: { city: text, region: text, key: text },
	required: ["city", "region", "key"],
};

const weather = (name = "get_weather", parameters: Json = CITY, config: Json = {}) => ({
	snapshot: {
		...{ name, description: "Looks up the weather.", tool_type: "api_request" as const },
		argument_schema: parameters,
		argument_defaults: { key: "{{$WEATHER_KEY}}" },
		config: TOOL_CONFIGS.api_request.parse({
			type: "api_request",
			url: "https://api.example/",
			parameters,
			...config,
		}),
	},
});

const ref = (tool_id: string, more: object = {}) => ({
	attachment_id: crypto.randomUUID(),
	tool_id,
	version: 1,
	...more,
});

async function settle(config: (client: Client) => Promise<object> = async () => ({})) {
	const client = await createClient();
	const { status, body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "Front desk" },
		...(await config(client)),
	});
	expect(status, JSON.stringify(agent)).toBe(201);
	const { key } = await issueAgentKey(env.DB, client.id, agent.id);
	const path = `/v1/agents/${agent.id}/tools`;
	const get = (query = "", headers = {}, credential = key) =>
		request<Toolset>(credential, "GET", `${path}${query}`, undefined, headers);
	const open = async (body: object = {}) => {
		const opened = await request<OpenedRuntimeSession>(key, "POST", `/v1/agents/${agent.id}/sessions`, body);
		return opened.body.token ?? "";
	};
	return { ...client, client, agent, agentKey: key, get, open };
}

test("the model sees neither fixed arguments nor those from the vault, and nothing of system tools", async () => {
	const { get } = await settle(async ({ id }) => ({
		tool_refs: [
			ref(await publishedTool(id, weather()), {
				description: "Only for Europe.",
				argument_overrides: { region: "eu" },
				execution_policy: { pre_action_message: { enabled: true, text: "One moment", wait: true } },
			}),
			ref(await publishedTool(id, weather("log_call")), {
				...{ invocation: "system", system: { triggers: [{ event: "call_end" }], arguments: {} } },
			}),
		],
	}));
	const { status, body } = await get();
	expect(status).toBe(200);
	expect(body.tools).toEqual([
		{
			name: "get_weather",
			description: "Only for Europe.\n\nLooks up the weather.",
			parameters: {
				...{ type: "object", properties: { city: text }, required: ["city"], additionalProperties: false },
			},
		},
	]);
	expect(body).toMatchObject({
		...{ agent_version: 1, format: "json_schema", warnings: [] },
		pre_action_messages: { get_weather: { text: "One moment", wait: true } },
	});
	expect(JSON.stringify(body)).not.toMatch(/region|WEATHER_KEY|log_call/);
});

test("an unchanged toolset is answered 304, and another version or format has another tag", async () => {
	const { get, client, agent } = await settle(async ({ id }) => ({
		tool_refs: [ref(await publishedTool(id, weather()))],
	}));
	const first = await get();
	const etag = first.headers.get("etag") ?? "";
	expect(first.body.etag).toBe(etag);
	expect(first.headers.get("cache-control")).toBe("private, no-cache");
	expect((await get("", { "if-none-match": etag })).status).toBe(304);
	expect((await get("?format=gemini", { "if-none-match": etag })).status).toBe(200);
	await client.call("PATCH", `/v1/agents/${agent.id}`, { greeting: "Hello" });
	const second = await get("", { "if-none-match": etag });
	expect([second.status, second.body.agent_version]).toEqual([200, 2]);
});

test("names are those of the tools where all vendors take them, and slugs and numbers where not", async () => {
	const { get } = await settle(async ({ id }) => ({
		tool_refs: await Promise.all(
			["3d-view", "get_weather", "get_weather", "x".repeat(80)].map(async (name) =>
				ref(await publishedTool(id, weather(name))),
			),
		),
	}));
	const names = (await get()).body.tools.map(({ name }) => name);
	expect(names).toEqual(["tool_3d-view", "get_weather", "get_weather_2", "x".repeat(64)]);
	expect((await get("?format=openai_realtime")).body.tools.map(({ name }) => name)).toEqual(names);
});

test("the same tools have the form of each vendor", async () => {
	const { get } = await settle(async ({ id }) => ({ tool_refs: [ref(await publishedTool(id, weather()))] }));
	const tool = async (format: string) => (await get(`?format=${format}`)).body.tools[0];
	expect(await tool("openai")).toMatchObject({ type: "function", name: "get_weather", strict: true });
	expect(await tool("openai_realtime")).not.toHaveProperty("strict");
	expect(await tool("anthropic")).toMatchObject({ input_schema: { required: ["city", "region"] } });
	expect(await tool("gemini")).toMatchObject({
		parameters: { type: "OBJECT", required: ["city", "region"] },
	});
	const refused = await get("?format=llama");
	expect([refused.status, refused.body.error.fields?.[0]?.path]).toEqual([422, "query.format"]);
});

test("a tool that a vendor would reject is changed or left out, with a warning, and the others stay", async () => {
	const parameters = {
		type: "object",
		properties: { "wo?": text, day: { ...text, minLength: 1 } },
		required: ["wo?", "day"],
	};
	const { get } = await settle(async ({ id }) => ({
		tool_refs: [
			ref(await publishedTool(id, weather("odd", parameters))),
			ref(await publishedTool(id, weather())),
		],
	}));
	const anthropic = (await get("?format=anthropic")).body;
	expect(anthropic.tools.map(({ name }) => name)).toEqual(["get_weather"]);
	expect(anthropic.warnings).toEqual([
		{ tool: "odd", message: expect.stringContaining("the tool is left out") },
	]);
	const openai = (await get("?format=openai")).body;
	expect(openai.tools.map(({ strict }) => strict)).toEqual([false, true]);
	expect(openai.warnings).toEqual([{ tool: "odd", message: expect.stringContaining("minLength") }]);
});

test("an MCP tool that has drifted is left out with a warning until its drift is accepted", async () => {
	const { get, id, agent } = await settle(async (client) => {
		const server_id = await healthyServer(client);
		return {
			tool_refs: [ref(CURATED_TOOLS.find(({ name }) => name === "end_call")!.id)],
			mcp_refs: [
				{ attachment_id: crypto.randomUUID(), server_id, tool_name: "search", observed_schema_hash: HASH },
			],
		};
	});
	expect((await get()).body.tools.map(({ name }) => name)).toEqual(["end_call", "search"]);
	await openDatabase(env.DB)
		.update(mcpCatalogs)
		.set({ hashes: { search: "b".repeat(64) } })
		.where(eq(mcpCatalogs.serverId, agent.mcp_refs[0]!.server_id));
	forgetAgent(id, agent.id);
	const { tools, warnings } = (await get()).body;
	expect(tools.map(({ name }) => name)).toEqual(["end_call"]);
	expect(warnings).toEqual([{ tool: "search", message: expect.stringContaining("Accept its drift") }]);
});

test("descriptions and what the agent speaks have the values of the session or of the request", async () => {
	const { get, open } = await settle(async ({ id }) => ({
		template_defaults: { name: "there" },
		tool_refs: [
			ref(await publishedTool(id, weather()), {
				description: "Serves {{name}}.",
				execution_policy: {
					pre_action_message: { enabled: true, text: "One moment, {{name}}", wait: false },
				},
			}),
		],
	}));
	const spoken = async (...given: Parameters<typeof get>) =>
		(await get(...given)).body.pre_action_messages.get_weather?.text;
	expect(await spoken()).toBe("One moment, there");
	const headers = { "x-parley-variables": btoa('{"name": "Ada"}') };
	expect(await spoken("", headers)).toBe("One moment, Ada");
	const token = await open({ variables: { name: "Grace" } });
	expect(await spoken("", {}, token)).toBe("One moment, Grace");
	const described = (await get("", {}, token)).body;
	expect(described.tools[0]?.description).toMatch(/^Serves Grace\./);
	expect((await get("", { "if-none-match": described.etag }, token)).status).toBe(304);
	expect((await get("", { "if-none-match": described.etag })).status).toBe(200);
	expect((await get("", headers, token)).body.error.fields).toEqual([
		{ path: "header.X-Parley-Variables", message: expect.stringContaining("leave the header out") },
	]);
});

test("mocks=true is refused unless the session answers from mocks", async () => {
	const { get, open } = await settle();
	for (const credential of [undefined, await open()])
		expect((await get("?mocks=true", {}, credential)).body.error.fields).toMatchObject([
			{ path: "query.mocks" },
		]);
	expect((await get("?mocks=true", {}, await open({ mocks: true }))).status).toBe(200);
});

test("an inactive agent shows its toolset, and a deleted one is not found", async () => {
	const { get, call, agent, key } = await settle();
	await call("PATCH", `/v1/agents/${agent.id}`, { status: "inactive" });
	expect((await get()).status).toBe(200);
	await call("DELETE", `/v1/agents/${agent.id}`);
	expect((await get("", {}, key)).status).toBe(404);
});

test("a warm toolset reads nothing of D1", async () => {
	const { get, client, agent } = await settle(async ({ id }) => ({
		tool_refs: [ref(await publishedTool(id, weather()))],
	}));
	await get();
	const { getToolset } = await import("./toolset.service.ts");
	const ctx = { ...client.ctx(), db: undefined as never };
	const toolset = await getToolset(ctx, agent.id, { format: "openai", mocks: false }, {});
	expect(toolset.tools).toHaveLength(1);
});
