import type { Agent } from "@parley/contracts/agents";
import type { Ctx } from "../context.ts";
import { findDrifts } from "../mcp-servers/drift.ts";
import { type AgentRow, toAgent } from "./agent-config.ts";

/** An agent as it is answered, with what has become of the tools of MCP servers that it is pinned to. */
export const showAgent = async (ctx: Ctx, row: AgentRow): Promise<Agent> =>
	toAgent(row, await findDrifts(ctx, row.config.mcp_refs));
