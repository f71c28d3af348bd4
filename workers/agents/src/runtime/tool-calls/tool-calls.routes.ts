import { CallTool, ToolCallPage, ToolCallQuery, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import { Uuid } from "@parley/contracts/shared/common";
import { readRuntimeVariables } from "@parley/http/headers/runtime-variables";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { variablesOf } from "../request-variables.ts";
import { callTool } from "./call-tool.ts";
import { listToolCalls } from "./records/list-tool-calls.ts";

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

toolCallsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/tools/{name}/call",
		operationId: "callTool",
		summary: "Call a tool of an agent",
		description:
			"Calls a tool for the agent's model, under its name in the toolset. Also a call that failed is answered with 200, " +
			"because the model must hear of it: see `status`, `content` and `error`. `directive` says what the voice runtime itself " +
			"must do. Each call is recorded, also if the client goes away. One agent has at most 32 calls under way " +
			"(`RUNTIME_CALLS_AT_ONCE`); more are refused with 429 and `Retry-After`.",
		tag: "Tool calls",
		access: "runtime:use",
		params: z.object({
			agent_id: Uuid,
			name: z
				.string()
				.min(1)
				.max(64)
				.meta({ description: "Name of the tool in the toolset", example: "get_forecast" }),
		}),
		body: CallTool.prefault({}),
		response: ToolCallResult,
		errors: ["RESOURCE_NOT_FOUND", "TOOL_NOT_ATTACHED", "AGENT_INACTIVE", "FEATURE_DISABLED"],
		idempotent: true,
	},
	({ ctx, params, body, request }) => {
		const variables = variablesOf(ctx, readRuntimeVariables(request.headers));
		return callTool(ctx, { agentId: params.agent_id, name: params.name, variables, body });
	},
);
