import type { ConnectResult } from "@parley/contracts/agents/mcp-servers";
import { notFound } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { mcpClientOf } from "./mcp-client.ts";
import { readServer } from "./mcp-servers.service.ts";

/**
 * Connects to a server now, lists its tools and stores the result. A failed connection is a result, not an error.
 * @throws ApiError RESOURCE_NOT_FOUND
 */
export async function connectMcpServer(ctx: Ctx, id: string): Promise<ConnectResult> {
	const { organisationId } = await readServer(ctx, id);
	const result = await mcpClientOf(ctx).connectNow({ organisationId, serverId: id });
	if (!result) throw notFound("MCP server", id);
	return result;
}
