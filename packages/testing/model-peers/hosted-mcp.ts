// MCP servers that OpenAI's Responses API calls by itself ("hosted MCP"): the model's side connects, lists and calls.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Json, type ModelCall, newId } from "./model-api.ts";
import type { FunctionTool } from "./tool-rules.ts";

type HostedServer = {
	server_label: string;
	server_url: string;
	authorization?: string;
	headers?: Record<string, string>;
	require_approval?: string;
};

export type HostedMcp = {
	tools: FunctionTool[];
	/** Output items so far: one list per server, then the calls. */
	items: Json[];
	/** Calls a tool and returns the text for the model. */
	call: (call: ModelCall) => Promise<string>;
	close: () => Promise<void>;
};

/** Connects to every server that a request's tools name. @throws Error for one that asks for approval, which this model cannot wait for */
export async function connectHostedMcp(tools: unknown): Promise<HostedMcp> {
	const servers = ((tools ?? []) as (HostedServer & { type: string })[]).filter(({ type }) => type === "mcp");
	const hosted: HostedMcp = { tools: [], items: [], call: missing, close: async () => undefined };
	const owners = new Map<string, { client: Client; label: string }>();
	for (const server of servers) {
		if (server.require_approval !== "never") throw new Error("This model calls only what needs no approval");
		const client = await connect(server);
		const { tools: listed } = await client.listTools();
		for (const { name } of listed) owners.set(name, { client, label: server.server_label });
		hosted.tools.push(
			...listed.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
		);
		hosted.items.push({
			...{ type: "mcp_list_tools", id: newId("mcpl"), server_label: server.server_label },
			tools: listed.map(({ name, description, inputSchema }) => ({
				name,
				description,
				input_schema: inputSchema,
			})),
		});
	}
	hosted.call = async ({ name, arguments: args }) => {
		const owner = owners.get(name);
		if (!owner) return missing();
		const { content, isError } = await owner.client.callTool({ name, arguments: JSON.parse(args) });
		const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
		hosted.items.push({
			...{ type: "mcp_call", id: newId("mcp"), server_label: owner.label, name, arguments: args },
			...{
				status: isError ? "failed" : "completed",
				output: isError ? null : text,
				error: isError ? text : null,
			},
		});
		return text;
	};
	hosted.close = async () => {
		await Promise.all([...owners.values()].map(({ client }) => client.close()));
	};
	return hosted;
}

const missing = (): never => {
	throw new Error("No MCP server of the request has this tool");
};

async function connect({ server_url, authorization, headers }: HostedServer): Promise<Client> {
	const client = new Client({ name: "openai-mcp", version: "1.0.0" });
	const requestInit = {
		headers: { ...headers, ...(authorization && { authorization: `Bearer ${authorization}` }) },
	};
	await client.connect(new StreamableHTTPClientTransport(new URL(server_url), { requestInit }));
	return client;
}
