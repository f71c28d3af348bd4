import { Uuid } from "@parley/contracts/shared/common";
import { VERSION } from "@parley/contracts/shared/version";
import { readRuntimeVariables } from "@parley/http/headers/runtime-variables";
import { z } from "zod";
import { createMcpRouter } from "../context.ts";
import { serveMcp } from "../protocol/serve-mcp.ts";
import { createAgentEndpoint } from "./agent.service.ts";

export const agentRoutes = createMcpRouter();

agentRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/mcp",
		operationId: "serveAgentMcp",
		summary: "Serve MCP clients that use an agent",
		description:
			"MCP endpoint (streamable HTTP, stateless; revisions 2025-06-18, 2025-11-25 and 2026-07-28). `initialize` returns the agent's system prompt as instructions. Its tools are those that the agent's model may call. A result names the recorded call in `_meta`, and what the voice runtime must do in `parley/directive`. `X-Parley-Variables` fills placeholders: a JSON object in base64url.",
		tag: "MCP",
		access: "runtime:use",
		params: z.object({ agent_id: Uuid.describe("Id of the agent") }),
		raw: { content: { "application/json": { schema: z.looseObject({ jsonrpc: z.literal("2.0") }) } } },
		response: z.looseObject({}),
		errors: ["RESOURCE_NOT_FOUND", "AGENT_INACTIVE"],
	},
	({ ctx, params, request, reader }) => {
		const endpoint = createAgentEndpoint(ctx, params.agent_id, readRuntimeVariables(request.headers));
		return serveMcp(request, reader, endpoint, { name: "parley-agent", version: VERSION });
	},
);
