import type { ConnectResult } from "../agents/mcp-servers.ts";

export type McpServerRef = { organisationId: string; serverId: string };

/** The RPC of the mcp-client worker, entrypoint `McpClient`: it holds the connections to MCP servers and keeps their tool lists. */
export type McpClientRpc = {
	/**
	 * Connects now for a person, lists the tools and stores what was found.
	 * @returns null when there is no such server.
	 */
	connectNow: (ref: McpServerRef) => Promise<ConnectResult | null>;
	/** Refreshes the server from now on, while it is in use. */
	watch: (ref: McpServerRef) => Promise<void>;
	/** Forgets what was found under an earlier configuration of the server. */
	reconfigure: (ref: McpServerRef) => Promise<void>;
	/** Deletes what is kept of a deleted server. */
	forget: (ref: McpServerRef) => Promise<void>;
};
