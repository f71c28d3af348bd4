import type {
	ConnectResult,
	CreateMcpServer,
	DiscoveredTool,
	McpServer,
} from "@parley/contracts/agents/mcp-servers";
import type { Client } from "./client.ts";

type Own = Partial<Omit<CreateMcpServer, "url_template">>;

export async function registerServer(
	client: Client,
	url_template: string,
	own: Own = {},
): Promise<McpServer> {
	const answer = await client.call<McpServer>("POST", "/v1/agents/mcp-servers", {
		...{ name: `server-${crypto.randomUUID()}`, url_template },
		...own,
	});
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body;
}

export async function connect(client: Client, { id }: McpServer): Promise<ConnectResult> {
	const { status, body } = await client.call<ConnectResult>("POST", `/v1/agents/mcp-servers/${id}/connect`);
	if (status !== 200) throw new Error(JSON.stringify(body));
	return body;
}

export const readServer = async (client: Client, { id }: McpServer): Promise<McpServer> =>
	(await client.call<McpServer>("GET", `/v1/agents/mcp-servers/${id}`)).body;

/** Returns an attachment of a discovered tool. */
export const attach = ({ id }: { id: string }, { name, schema_hash }: DiscoveredTool) => ({
	...{ attachment_id: crypto.randomUUID(), server_id: id },
	...{ tool_name: name, observed_schema_hash: schema_hash },
});
