import { ToolCallPage, ToolCallQuery } from "@parley/contracts/agents/tool-calls";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { listToolCalls } from "./list-tool-calls.ts";

export const toolCallsRoutes = createAgentsRouter();

toolCallsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/tool-calls",
		operationId: "listToolCalls",
		summary: "List an agent's tool calls",
		description:
			"Newest first, with arguments and output. A call appears when it has ended, and after 250 ms if it lasts longer. Calls " +
			"are kept for 30 days (`TOOL_CALL_RETENTION_DAYS`). Those of a deleted agent stay readable.",
		tag: "Tool calls",
		access: "agents:read",
		mcp: true,
		params: z.object({ agent_id: Uuid }),
		query: ToolCallQuery,
		response: ToolCallPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listToolCalls(ctx, params.agent_id, query),
);
