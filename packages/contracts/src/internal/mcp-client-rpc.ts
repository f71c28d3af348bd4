import type { ConnectResult } from "../agents/mcp-servers.ts";

export type McpServerRef = { organisationId: string; serverId: string };

/** RPC interface of the mcp-client worker, entrypoint `McpClient`. The worker connects to MCP servers and stores their tool lists. */
export type McpClientRpc = {
	/**
	 * Connects now, lists the tools and stores the result.
	 * @returns null when there is no such server.
	 */
	connectNow: (ref: McpServerRef) => Promise<ConnectResult | null>;
	/** Schedules refreshes of a server that became referenced. They stop when nothing references it any more. */
	watch: (ref: McpServerRef) => Promise<void>;
	/** Schedules a refresh after a change of the server's configuration. */
	reconfigure: (ref: McpServerRef) => Promise<void>;
	/** Deletes the connection state of a deleted server. */
	forget: (ref: McpServerRef) => Promise<void>;
};
