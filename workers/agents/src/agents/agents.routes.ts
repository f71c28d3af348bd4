import {
	Agent,
	AgentListItem,
	AgentQuery,
	CreateAgent,
	DuplicateAgent,
	ReplaceAgent,
	UpdateAgent,
} from "@parley/contracts/agents";
import { Uuid } from "@parley/contracts/common";
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
		summary: "List agents, by name",
		tag: "Agents",
		access: "agents:read",
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
		tag: "Agents",
		access: "agents:write",
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
		tag: "Agents",
		access: "agents:read",
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
		summary: "Change some fields of an agent",
		description:
			"Fields left out stay as they are. `models` is merged member by member; lists and maps are replaced whole. " +
			"An attachment that stays keeps its tool and version: they move only by accepting an upgrade.",
		tag: "Agents",
		access: "agents:write",
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
		summary: "Replace an agent's configuration and status",
		description: "Fields left out get their defaults.",
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
		summary: "Make another agent of the same configuration",
		tag: "Agents",
		access: "agents:write",
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
