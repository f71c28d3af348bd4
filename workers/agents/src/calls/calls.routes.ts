import {
	CallPage,
	CallQuery,
	CallWithToolCalls,
	CreateCall,
	UpdateCall,
} from "@parley/contracts/agents/calls";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { createCall, getCall, listCalls, updateCall } from "./calls.service.ts";

export const callsRoutes = createAgentsRouter();

const ofAgent = z.object({ agent_id: Uuid });
const ofCall = z.object({ agent_id: Uuid, call_id: Uuid });

callsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/calls",
		operationId: "listCalls",
		summary: "List an agent's calls",
		description: "Newest first. The calls of a deleted agent stay readable.",
		tag: "Calls",
		access: "agents:read",
		mcp: true,
		params: ofAgent,
		query: CallQuery,
		response: CallPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listCalls(ctx, params.agent_id, query),
);

callsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/calls",
		operationId: "createCall",
		summary: "Record a call",
		description:
			"Parley places no calls: a voice runtime places them and reports their progress here. A call starts as `queued` and " +
			"keeps the agent's current version.",
		tag: "Calls",
		access: "agents:write",
		params: ofAgent,
		body: CreateCall,
		status: 201,
		location: "/v1/agents/{agent_id}/calls/{id}",
		response: CallWithToolCalls,
		errors: ["RESOURCE_NOT_FOUND"],
		idempotent: true,
	},
	({ ctx, params, body }) => createCall(ctx, params.agent_id, body),
);

callsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/calls/{call_id}",
		operationId: "getCall",
		summary: "Get a call",
		description: "With the tool calls of its sessions. The calls of a deleted agent stay readable.",
		tag: "Calls",
		access: "agents:read",
		mcp: true,
		params: ofCall,
		response: CallWithToolCalls,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getCall(ctx, params.agent_id, params.call_id),
);

callsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/{agent_id}/calls/{call_id}",
		operationId: "updateCall",
		summary: "Report a call's progress",
		description:
			"A call moves forward through `queued`, `dispatching`, `ringing` and `in_progress`; a report may skip some. From " +
			"`in_progress` it becomes `completed`, and from any of the four `failed` or `cancelled`. A final status does not " +
			"change. Reporting the current status again changes nothing.",
		tag: "Calls",
		access: "agents:write",
		params: ofCall,
		body: UpdateCall,
		response: CallWithToolCalls,
		errors: ["RESOURCE_NOT_FOUND", "REVISION_CONFLICT"],
	},
	({ ctx, params, body }) => updateCall(ctx, params.agent_id, params.call_id, body),
);
