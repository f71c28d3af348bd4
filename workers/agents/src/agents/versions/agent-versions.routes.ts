import { Agent, AgentVersion, AgentVersionPage, AgentVersionQuery } from "@parley/contracts/agents";
import { Uuid, versionNumber } from "@parley/contracts/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { getAgentVersion, listAgentVersions, restoreAgentVersion } from "./agent-versions.service.ts";

export const agentVersionsRoutes = createAgentsRouter();

const params = z.object({ agent_id: Uuid, version_number: versionNumber });

agentVersionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/versions",
		operationId: "listAgentVersions",
		summary: "List an agent's versions, newest first",
		tag: "Agents",
		access: "agents:read",
		params: params.pick({ agent_id: true }),
		query: AgentVersionQuery,
		response: AgentVersionPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listAgentVersions(ctx, params.agent_id, query),
);

agentVersionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/versions/{version_number}",
		operationId: "getAgentVersion",
		summary: "Get a version of an agent with its configuration",
		tag: "Agents",
		access: "agents:read",
		params,
		response: AgentVersion,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getAgentVersion(ctx, params.agent_id, params.version_number),
);

agentVersionsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/versions/{version_number}/restore",
		operationId: "restoreAgentVersion",
		summary: "Give an agent the configuration of an earlier version",
		description: "Makes a new version. The references of the earlier one must still exist.",
		tag: "Agents",
		access: "agents:write",
		params,
		response: Agent,
		errors: [
			"RESOURCE_NOT_FOUND",
			"AGENT_LOCKED",
			"AGENT_NAME_CONFLICT",
			"MCP_CAPABILITY_UNAVAILABLE",
			"REVISION_CONFLICT",
		],
		idempotent: true,
	},
	({ ctx, params }) => restoreAgentVersion(ctx, params.agent_id, params.version_number),
);
