import type { Scope } from "../shared/scopes.ts";

/** Annotations of a tool, as MCP names them. */
export type ToolAnnotations = {
	title: string;
	readOnlyHint: boolean;
	destructiveHint: boolean;
	idempotentHint: boolean;
	openWorldHint: boolean;
};

/** An operation of the public API that the management MCP server offers as a tool. */
export type ManagementTool = {
	/** The operation's id in snake case: `list_tools`. */
	name: string;
	description: string;
	/** JSON Schema of `{…path parameters, …query parameters, body}`. */
	inputSchema: { type: "object"; properties: Record<string, unknown>; required: string[] };
	annotations: ToolAnnotations;
	/** Scope that a caller needs; null if any credential will do. */
	scope: Scope | null;
	method: string;
	/** Path with its parameters in braces: `/v1/agents/tools/{tool_id}`. */
	path: string;
	/** Names of the query parameters. */
	query: string[];
	hasBody: boolean;
};

/** The RPC of a plane's entrypoint `ManagementApi`. Only workers that are bound to it can reach it. */
export type ManagementRpc<Actor> = {
	/** Returns the operations that the plane allows as tools. */
	managementTools: () => Promise<ManagementTool[]>;
	/** Serves a request of the plane's public API, with the caller's own credential. */
	fetch: (request: Request) => Promise<Response>;
	/** Serves a request of the plane's public API for an actor whom the caller has authenticated. */
	fetchAs: (request: Request, actor: Actor) => Promise<Response>;
};
