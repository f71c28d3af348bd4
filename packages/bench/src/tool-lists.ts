import { randomUUID } from "node:crypto";
import { compare, type Target } from "./load.ts";
import type { BenchServer } from "./server.ts";

const TOOLS = 5;
const GOAL = 0.5;
const PROTOCOL = "io.modelcontextprotocol";

type Json = Record<string, unknown>;

/** Prints how an agent's tools are listed: over MCP in both eras, and over HTTP. */
export async function benchToolLists({ urls, keys }: BenchServer): Promise<void> {
	const headers = { authorization: `Bearer ${keys.api_key}` };
	const root = `${urls.agents}/v1/agents`;
	const tools = (await (await fetch(`${root}/tools`, { headers })).json()) as { id: string; name: string }[];
	const tool = tools.find(({ name }) => name === "current_datetime");
	const refs = Array.from({ length: TOOLS }, () => ({
		...{ attachment_id: randomUUID(), tool_id: tool?.id, version: 1 },
	}));
	const body = JSON.stringify({ name: "bench-tool-lists", tool_refs: refs });
	const created = await fetch(root, { method: "POST", headers, body });
	if (created.status !== 201) throw new Error(`Creating an agent: ${created.status} ${await created.text()}`);
	const { id } = (await created.json()) as { id: string };

	const list = (name: string, params: Json, more: Record<string, string>): Target => ({
		...{ name, url: `${urls["mcp-server"]}/v1/agents/${id}/mcp`, method: "POST" },
		headers: { ...headers, accept: "application/json, text/event-stream", ...more },
		body: () => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params }),
	});
	const client = {
		[`${PROTOCOL}/protocolVersion`]: "2026-07-28",
		[`${PROTOCOL}/clientInfo`]: { name: "bench", version: "1" },
		[`${PROTOCOL}/clientCapabilities`]: {},
	};
	await compare(
		`An agent's ${TOOLS} tools (goal for tools/list over MCP: ${GOAL})`,
		{ name: "baseline: Hono, one D1 read", url: `${urls.baseline}/organisations/${keys.organisation_id}` },
		[
			list("MCP 2025-11-25 tools/list", {}, { "mcp-protocol-version": "2025-11-25" }),
			list(
				"MCP 2026-07-28 tools/list",
				{ _meta: client },
				{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
			),
			{ name: "GET tools", url: `${root}/${id}/tools?format=json_schema`, headers },
		],
	);
}
