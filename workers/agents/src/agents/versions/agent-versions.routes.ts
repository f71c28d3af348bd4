import { Agent, AgentVersion, AgentVersionPage, AgentVersionQuery } from "@parley/contracts/agents/agents";
import { Uuid, versionNumber } from "@parley/contracts/shared/common";
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
		summary: "List an agent's versions",
		description: "Newest first. Each change of the configuration creates a version.",
		tag: "Agents",
		access: "agents:read",
		mcp: true,
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
		summary: "Get an agent version",
		description: "Returns the version with its configuration. Versions are immutable.",
		tag: "Agents",
		access: "agents:read",
		mcp: true,
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
		summary: "Restore an agent version",
		description:
			"Gives the agent the configuration of an earlier version, as a new version. Everything that it refers to must still " +
			"exist. The status does not change.",
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
