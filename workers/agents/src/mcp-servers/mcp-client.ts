import type { McpClientRpc } from "@parley/contracts/internal/mcp-client-rpc";
import type { Ctx } from "../context.ts";

/** Returns the RPC stub of the worker that connects to MCP servers. */
export const mcpClientOf = ({ env }: Ctx): McpClientRpc => env.MCP_CLIENT as unknown as McpClientRpc;
