import { Agent, AgentConfig, ImportAgent, ImportPlan, ImportQuery } from "@parley/contracts/agents";
import { Uuid } from "@parley/contracts/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { exportAgent, importAgent, planImport } from "./agent-import.service.ts";

export const agentImportRoutes = createAgentsRouter();

agentImportRoutes.route(
	{
		method: "post",
		path: "/v1/agents/import",
		operationId: "importAgent",
		summary: "Make an agent from an exported configuration",
		description:
			"References that lead nowhere are listed, each with its place. With `dry_run=true` nothing is made.",
		tag: "Agents",
		access: "agents:write",
		query: ImportQuery,
		body: ImportAgent,
		status: 201,
		location: "/v1/agents/{id}",
		response: Agent,
		otherResponses: {
			200: {
				description: "What the import would make (dry_run=true)",
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
		description: "What `POST /v1/agents/import` takes, and what `config_hash` covers.",
		tag: "Agents",
		access: "agents:read",
		params: z.object({ agent_id: Uuid }),
		response: AgentConfig,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => exportAgent(ctx, params.agent_id),
);
