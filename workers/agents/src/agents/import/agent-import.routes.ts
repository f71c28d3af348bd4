import { Agent, AgentConfig, ImportAgent, ImportPlan, ImportQuery } from "@parley/contracts/agents/agents";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { exportAgent, importAgent, planImport } from "./agent-import.service.ts";

export const agentImportRoutes = createAgentsRouter();

agentImportRoutes.route(
	{
		method: "post",
		path: "/v1/agents/import",
		operationId: "importAgent",
		summary: "Import an agent",
		description:
			"Creates an active agent from an exported configuration. Tools, versions, vault entries and MCP servers that it refers " +
			"to must exist; `error.fields` lists those that do not. With `dry_run=true`, nothing is created.",
		tag: "Agents",
		access: "agents:write",
		query: ImportQuery,
		body: ImportAgent,
		status: 201,
		location: "/v1/agents/{id}",
		response: Agent,
		otherResponses: {
			200: {
				description: "Agent that the import would create (dry_run=true)",
				content: { "application/json": { schema: ImportPlan } },
			},
		},
		errors: ["AGENT_NAME_CONFLICT", "MCP_CAPABILITY_UNAVAILABLE", "REVISION_CONFLICT"],
		idempotent: true,
	},
	async ({ ctx, query, body, reply }) =>
		query.dry_run ? reply(200, await planImport(ctx, body)) : importAgent(ctx, body),
);

agentImportRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/config",
		operationId: "exportAgent",
		summary: "Export an agent's configuration",
		description:
			"Returns the configuration that `POST /v1/agents/import` accepts. `config_hash` of the agent's versions covers it.",
		tag: "Agents",
		access: "agents:read",
		mcp: true,
		params: z.object({ agent_id: Uuid }),
		response: AgentConfig,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => exportAgent(ctx, params.agent_id),
);
