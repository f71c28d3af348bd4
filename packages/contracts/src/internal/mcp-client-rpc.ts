import type { ConnectErrorCode, ConnectResult } from "../agents/mcp-servers.ts";

export type McpServerRef = { organisationId: string; serverId: string };

/** One call of a tool of an MCP server. */
export type McpToolCall = {
	/** Chosen by the caller, for `cancelTool`. */
	callId: string;
	name: string;
	/** Schema of the arguments, from which the protocol takes headers. */
	inputSchema: Record<string, unknown>;
	arguments: Record<string, unknown>;
	timeoutMs: number;
};

export type ProgressNotice = { progress: number; total?: number; message?: string };

/** End of a call. All texts of the server are scrubbed of the values that its connection uses. */
export type McpCallOutcome =
	| {
			kind: "result";
			isError: boolean;
			content: { type: string; text?: string; [member: string]: unknown }[];
			structured: unknown;
	  }
	/** The server is not tried at all; `message` says why and how it was last found. */
	| { kind: "circuit_open"; message: string }
	| { kind: "failed"; code: ConnectErrorCode | "cancelled"; message: string };

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
	/**
	 * Calls a tool. Never throws for what the server does.
	 * @param onProgress called for each progress notification of the server
	 */
	callTool: (
		ref: McpServerRef,
		call: McpToolCall,
		onProgress?: (progress: ProgressNotice) => void,
	) => Promise<McpCallOutcome>;
	/** Cancels a call that runs; has no effect on one that has ended. */
	cancelTool: (ref: McpServerRef, callId: string) => Promise<void>;
	/** Deletes the connection state of a deleted server. */
	forget: (ref: McpServerRef) => Promise<void>;
};
