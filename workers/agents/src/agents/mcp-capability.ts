import type { Ctx } from "../context.ts";

/** A server's state and, when its last good list has it, the tool asked for. */
export type McpCapability = {
	status: "unknown" | "healthy" | "unavailable" | "invalid" | "circuit_open";
	tool: { schema_hash: string; input_schema: Record<string, unknown> } | undefined;
};

/** Undefined when the organisation has no such server, which is always so while servers cannot be registered. */
export async function findMcpCapability(
	_ctx: Ctx,
	_serverId: string,
	_toolName: string,
): Promise<McpCapability | undefined> {
	return undefined;
}
