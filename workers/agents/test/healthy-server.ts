import { env } from "cloudflare:workers";
import type { CapabilityStatus, DiscoveredTool, McpServer } from "@parley/contracts/agents/mcp-servers";
import { mcpCatalogs, mcpServers } from "@parley/db/agents/mcp-servers";
import { openDatabase } from "@parley/db/client";
import { eq } from "drizzle-orm";
import type { Client } from "./client.ts";

export const HASH = "a".repeat(64);

/** Inserts a healthy server with the tool `search` as rows, without a connection. Returns its id. */
export async function healthyServer(client: Client): Promise<string> {
	const { body } = await client.call<McpServer>("POST", "/v1/agents/mcp-servers", {
		...{ name: crypto.randomUUID(), url_template: "https://mcp.example/", transport: "streamable_http" },
	});
	const input_schema = { type: "object", properties: { query: { type: "string" } } };
	const search = {
		...{ name: "search", title: null, description: "", annotations: null },
		...{ input_schema, output_schema: null, schema_hash: HASH },
	};
	const row = { organisationId: client.id, serverId: body.id, truncated: false, pagesFetched: 1 };
	await openDatabase(env.DB)
		.insert(mcpCatalogs)
		.values({ ...row, tools: [search satisfies DiscoveredTool], hashes: { search: HASH }, olderHashes: {} });
	await setStatus(body.id, "healthy");
	return body.id;
}

export const setStatus = (serverId: string, capabilityStatus: CapabilityStatus) =>
	openDatabase(env.DB).update(mcpServers).set({ capabilityStatus }).where(eq(mcpServers.id, serverId));
