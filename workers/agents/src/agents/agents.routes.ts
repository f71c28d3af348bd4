import {
	Agent,
	AgentListItem,
	AgentQuery,
	CreateAgent,
	DuplicateAgent,
	ReplaceAgent,
	UpdateAgent,
} from "@parley/contracts/agents/agents";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import {
	createAgent,
	deleteAgent,
	duplicateAgent,
	getAgent,
	listAgents,
	replaceAgent,
	updateAgent,
} from "./agents.service.ts";

export const agentsRoutes = createAgentsRouter();

const params = z.object({ agent_id: Uuid });
const REFERENCE_ERRORS = ["AGENT_NAME_CONFLICT", "MCP_CAPABILITY_UNAVAILABLE", "REVISION_CONFLICT"] as const;
const CHANGE_ERRORS = ["RESOURCE_NOT_FOUND", "AGENT_LOCKED", ...REFERENCE_ERRORS] as const;

agentsRoutes.route(
	{
		method: "get",
		path: "/v1/agents",
		operationId: "listAgents",
		summary: "List an organisation's agents",
		description: "Lists the live agents, ordered by name then id, without prompts and attachments.",
		tag: "Agents",
		access: "agents:read",
		mcp: true,
		query: AgentQuery,
		response: z.array(AgentListItem),
	},
	({ ctx, query }) => listAgents(ctx, query),
);

agentsRoutes.route(
	{
		method: "post",
		path: "/v1/agents",
		operationId: "createAgent",
		summary: "Create an agent",
		description:
			"Creates an agent with version 1. Tools in `tool_refs` must be published, and MCP servers in `mcp_refs` healthy. Vault " +
			"names in prompts, greetings and values must exist.",
		tag: "Agents",
		access: "agents:write",
		mcp: true,
		body: CreateAgent,
		status: 201,
		location: "/v1/agents/{id}",
		response: Agent,
		errors: REFERENCE_ERRORS,
		idempotent: true,
	},
	({ ctx, body }) => createAgent(ctx, body),
);

agentsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}",
		operationId: "getAgent",
		summary: "Get an agent",
		description: "Returns the agent with its attachments: deleted tools and drifted MCP tools are marked.",
		tag: "Agents",
		access: "agents:read",
		mcp: true,
		params,
		response: Agent,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => getAgent(ctx, params.agent_id),
);

agentsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/{agent_id}",
		operationId: "updateAgent",
		summary: "Update an agent",
		description:
			"Omitted fields stay unchanged. `models` is merged member by member; lists and maps are replaced as a whole. A change " +
			"of the configuration creates a version. An existing attachment keeps its tool and version: only an accepted upgrade " +
			"changes them.",
		tag: "Agents",
		access: "agents:write",
		mcp: true,
		params,
		body: UpdateAgent,
		response: Agent,
		errors: CHANGE_ERRORS,
		etag: true,
	},
	({ ctx, params, body }) => updateAgent(ctx, params.agent_id, body),
);

agentsRoutes.route(
	{
		method: "put",
		path: "/v1/agents/{agent_id}",
		operationId: "replaceAgent",
		summary: "Replace an agent",
		description: "Sets the whole configuration and the status. Omitted fields get their defaults.",
		tag: "Agents",
		access: "agents:write",
		params,
		body: ReplaceAgent,
		response: Agent,
		errors: CHANGE_ERRORS,
		etag: true,
	},
	({ ctx, params, body }) => replaceAgent(ctx, params.agent_id, body),
);

agentsRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/{agent_id}",
		operationId: "deleteAgent",
		summary: "Delete an agent",
		description:
			"Its live calls end as cancelled with the reason agent_deleted. Its calls stay readable, and its name becomes free.",
		tag: "Agents",
		access: "agents:write",
		params,
		errors: ["RESOURCE_NOT_FOUND", "AGENT_LOCKED", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params }) => deleteAgent(ctx, params.agent_id),
);

agentsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/duplicate",
		operationId: "duplicateAgent",
		summary: "Duplicate an agent",
		description: "Creates an agent with the same configuration and status under another name.",
		tag: "Agents",
		access: "agents:write",
		mcp: true,
		params,
		body: DuplicateAgent,
		status: 201,
		location: "/v1/agents/{id}",
		response: Agent,
		errors: ["RESOURCE_NOT_FOUND", ...REFERENCE_ERRORS],
		idempotent: true,
	},
	({ ctx, params, body }) => duplicateAgent(ctx, params.agent_id, body),
);
