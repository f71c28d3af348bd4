// The agent that every client of these tests uses, on the stack that all whole-stack tests share.
import { randomUUID } from "node:crypto";
import type { Agent } from "@parley/contracts/agents/agents";
import type { ConnectResult, McpServer } from "@parley/contracts/agents/mcp-servers";
import type { Tool } from "@parley/contracts/agents/tools";
import { startLoopback } from "@parley/testing/loopback";
import { type CallableTool, startCallable, textResult } from "@parley/testing/mcp-peers/callable";
import { inject } from "vitest";

/** Calls the API as the stack's owner. @throws Error for any refusal */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
	const response = await fetch(`${inject("baseUrl")}/v1${path}`, {
		method,
		headers: {
			authorization: `Bearer ${inject("keys").api_key}`,
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return (text ? JSON.parse(text) : undefined) as T;
}

/** Publishes a tool under a name that no other test takes. @returns its id */
export async function publishTool(name: string, tool_type: string, rest: object = {}): Promise<string> {
	const { id } = await api<Tool>("POST", "/agents/tools", {
		...{ name: `${name}-${randomUUID().slice(0, 8)}`, tool_type, ...rest },
	});
	if (tool_type === "api_request")
		await api("POST", `/agents/tools/${id}/run`, { sample_input: SAMPLE, confirm_side_effects: true });
	await api("POST", `/agents/tools/${id}/publish`);
	return id;
}

/** Returns the id of a tool that every organisation has. */
export async function systemTool(name: string): Promise<string> {
	const tools = await api<Tool[]>("GET", `/agents/tools?name=${name}`);
	const tool = tools.find((found) => found.name === name);
	if (!tool) throw new Error(`There is no tool ${name}`);
	return tool.id;
}

/** Arguments that every tool of the agent takes. */
const SAMPLE = { city: "Oslo" };

export const attachTool = (tool_id: string, rest: object = {}) => ({
	...{ attachment_id: randomUUID(), tool_id, version: 1, ...rest },
});

/** Registers an MCP server and returns attachments of its tools. */
export async function attachMcpTools(url: string, names: string[]) {
	const { id } = await api<McpServer>("POST", "/agents/mcp-servers", {
		...{ name: `peer-${randomUUID().slice(0, 8)}`, url_template: url },
	});
	const { status, capabilities, error } = await api<ConnectResult>(
		"POST",
		`/agents/mcp-servers/${id}/connect`,
	);
	if (status !== "connected") throw new Error(`The MCP server at ${url} was not reached: ${error?.message}`);
	const refs = names.map((tool_name) => ({
		...{ attachment_id: randomUUID(), server_id: id, tool_name },
		observed_schema_hash: capabilities.tools.find(({ name }) => name === tool_name)?.schema_hash,
	}));
	return { refs, refresh: () => api("POST", `/agents/mcp-servers/${id}/connect`) };
}

export const createAgent = (given: object): Promise<Agent> =>
	api<Agent>("POST", "/agents", { name: `agent-${randomUUID().slice(0, 8)}`, ...given });

const PARAMETERS = {
	type: "object",
	properties: { city: { type: "string", description: "Name of the city", maxLength: 40 } },
	required: ["city"],
};
const OUTPUT_SCHEMA = {
	type: "object",
	properties: { forecast: { type: "string" }, city: { type: "string" } },
	required: ["forecast", "city"],
};

const LOOKUP: CallableTool = {
	name: "lookup_order",
	description: "Looks an order up",
	inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
	call: ({ number }) => textResult(`Order ${number} is on its way`),
};

export type ClientAgent = {
	/** Id and endpoint of the agent. */
	id: string;
	mcpUrl: string;
	/** Key that every client uses. */
	key: string;
	/** Names of its tools, in the order of the toolset. */
	toolNames: { weather: string; broken: string; hangUp: string; order: string };
	/** Changes the MCP tool, which is left out of the toolset from then on. */
	drift: () => Promise<void>;
	stop: () => Promise<void>;
};

/**
 * Creates an agent with a tool that answers, one that fails, one that is a directive, and one of an MCP server. Its system
 * prompt greets the customer `{{customer}}`.
 */
export async function startClientAgent(): Promise<ClientAgent> {
	const endpoint = await startLoopback((request, response) => {
		request.resume();
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://endpoint");
		// The first request is the test run that publishing needs.
		const isBroken = pathname === "/broken" && broken++ > 0;
		response.writeHead(isBroken ? 503 : 200, { "content-type": "application/json" });
		response.end(JSON.stringify({ forecast: "clear", city: searchParams.get("city") }));
	});
	let broken = 0;
	const request = (path: string, rest: object = {}) => ({
		config: {
			...{ type: "api_request", url: `${endpoint.url}/${path}?city={{city}}`, http_method: "GET" },
			...{ parameters: PARAMETERS, retries: 0, ...rest },
		},
	});
	const peer = await startCallable([LOOKUP]);
	const weather = await publishTool("weather", "api_request", {
		...{
			description: "Returns the weather of a city",
			...request("weather", { output_schema: OUTPUT_SCHEMA }),
		},
	});
	const failing = await publishTool("broken", "api_request", {
		...{ description: "Returns the tides of a city", ...request("broken") },
	});
	const hangUp = await systemTool("voicemail_detection");
	const { refs, refresh } = await attachMcpTools(peer.url, ["lookup_order"]);
	const agent = await createAgent({
		system_prompt: "You serve {{customer}}. Be brief.",
		template_defaults: { customer: "Ada" },
		tool_refs: [weather, failing, hangUp].map((id) => attachTool(id)),
		mcp_refs: refs,
	});
	const nameOf = async (id: string) => (await api<Tool>("GET", `/agents/tools/${id}`)).name;
	return {
		id: agent.id,
		mcpUrl: `${inject("baseUrl")}/v1/agents/${agent.id}/mcp`,
		key: inject("keys").api_key,
		toolNames: {
			...{ weather: await nameOf(weather), broken: await nameOf(failing), hangUp: await nameOf(hangUp) },
			order: "lookup_order",
		},
		drift: async () => {
			const inputSchema = { type: "object", properties: { order: { type: "string" } } } as const;
			peer.replace({ ...LOOKUP, description: "Looks an order up, and more", inputSchema });
			await refresh();
		},
		stop: async () => {
			await endpoint.stop();
			await peer.stop();
		},
	};
}
