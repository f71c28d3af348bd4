import type { Agent } from "@parley/contracts/agents/agents";
import type { Ctx } from "../context.ts";
import { findDrifts } from "../mcp-servers/drift.ts";
import { findMissingTools } from "../tools/find-tool.ts";
import { type AgentRow, toAgent } from "./agent-config.ts";

/** Returns the wire form of an agent, with its deleted tools and drifted MCP tools marked. */
export async function showAgent(ctx: Ctx, row: AgentRow): Promise<Agent> {
	// A tool that is attached to an active agent cannot be deleted.
	const pinned = row.status === "active" ? [] : row.config.tool_refs.map(({ tool_id }) => tool_id);
	const [deleted, drifts] = await Promise.all([
		findMissingTools(ctx, pinned),
		findDrifts(ctx, row.config.mcp_refs),
	]);
	return toAgent(row, { deleted, drifts });
}
