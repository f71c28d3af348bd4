// Every MCP client × what can happen to a tool call, with an agent's endpoint on the real stack.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAuthorizingProxy } from "../mcp/server-conformance/proxy.ts";
import { api, type ClientAgent, startClientAgent } from "./agent.ts";
import { MCP_CLIENTS, type McpClient } from "./mcp/mcp-clients.ts";

let agent: ClientAgent;
beforeAll(async () => {
	agent = await startClientAgent();
});
afterAll(() => agent?.stop());

describe.each(MCP_CLIENTS)("%s", (_, connect, revision) => {
	let client: McpClient;
	beforeAll(async () => {
		client = await connect(agent.mcpUrl, agent.key);
	});
	afterAll(() => client?.close());

	test("lists the agent's tools", async () => {
		expect((await client.list()).sort()).toEqual(Object.values(agent.toolNames).sort());
	});

	test("agrees on a revision", async () => {
		const proxy = await startAuthorizingProxy(agent.mcpUrl, agent.key);
		const other = await connect(`${proxy.url}/mcp`, agent.key);
		await other.list();
		await other.close();
		await proxy.stop();
		expect([...proxy.revisions]).toContain(revision);
	});

	test("calls a tool, and learns the id of the recorded call", async () => {
		const { text, isError, meta } = await client.call(agent.toolNames.weather, { city: "Oslo" });
		expect([isError, text]).toEqual([false, expect.stringMatching(/forecast.*clear.*Oslo/)]);
		// The record is written after the answer.
		const findRecord = async () => {
			type Page = { items: { id: string; status: string }[] };
			const { items } = await api<Page>("GET", `/agents/${agent.id}/tool-calls`);
			return items.find(({ id }) => id === meta["parley/tool_call_id"]);
		};
		await expect.poll(findRecord, { timeout: 10_000 }).toMatchObject({ status: "succeeded" });
	});

	test("learns which argument is wrong", async () => {
		const { text, isError } = await client.call(agent.toolNames.weather, { town: "Oslo" });
		expect([isError, text]).toEqual([true, expect.stringContaining("arguments.town")]);
	});

	test("learns why a tool failed", async () => {
		const { text, isError } = await client.call(agent.toolNames.broken, { city: "Oslo" });
		expect([isError, text]).toEqual([true, expect.stringContaining("503")]);
	});

	test("gets the directive of a tool that the voice runtime carries out", async () => {
		const { meta } = await client.call(agent.toolNames.hangUp, {});
		expect(meta["parley/directive"]).toMatchObject({ type: "voicemail_detection" });
	});

	test("is refused with a key of nobody", async () => {
		const refused = connect(agent.mcpUrl, "parley_cu_nobody").then((stranger) => stranger.list());
		await expect(refused).rejects.toThrow(/401|Unauthorized|Invalid API key|auth_required/i);
	});
});

describe("once a tool of an MCP server has changed", () => {
	beforeAll(() => agent.drift());

	test.each(MCP_CLIENTS)("%s no longer sees it", { timeout: 60_000 }, async (_, connect) => {
		const { order, ...others } = agent.toolNames;
		const list = async () => {
			const client = await connect(agent.mcpUrl, agent.key);
			const names = await client.list();
			await client.close();
			return names.sort();
		};
		await expect.poll(list, { timeout: 15_000, interval: 1_000 }).toEqual(Object.values(others).sort());
	});
});
