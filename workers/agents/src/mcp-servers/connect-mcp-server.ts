import type { ConnectResult } from "@parley/contracts/agents/mcp-servers";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { mcpClientOf } from "./mcp-client.ts";
import { readServer } from "./mcp-servers.service.ts";

/**
 * Opens a live connection, lists the tools and stores what was found. A server that cannot be connected to is a result.
 * @throws ApiError RESOURCE_NOT_FOUND
 */
export async function connectMcpServer(ctx: Ctx, id: string): Promise<ConnectResult> {
	const { organisationId } = await readServer(ctx, id);
	const result = await mcpClientOf(ctx).connectNow({ organisationId, serverId: id });
	if (!result) throw new ApiError("RESOURCE_NOT_FOUND", "No such resource");
	return result;
}
