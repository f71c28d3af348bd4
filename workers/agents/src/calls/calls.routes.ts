import { Call, CallPage, CallQuery, CreateCall, UpdateCall } from "@parley/contracts/calls";
import { Uuid } from "@parley/contracts/common";
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
		summary: "List an agent's calls, newest first",
		tag: "Calls",
		access: "agents:read",
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
		description: "It begins as queued, with the agent's present version.",
		tag: "Calls",
		access: "agents:write",
		params: ofAgent,
		body: CreateCall,
		status: 201,
		location: "/v1/agents/{agent_id}/calls/{id}",
		response: Call,
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
		tag: "Calls",
		access: "agents:read",
		params: ofCall,
		response: Call,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getCall(ctx, params.agent_id, params.call_id),
);

callsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/{agent_id}/calls/{call_id}",
		operationId: "updateCall",
		summary: "Report on a call",
		description:
			"A call passes forward along queued, dispatching, ringing, in_progress; from there to completed, from anywhere to " +
			"failed or cancelled. A final state is left no more; reporting the present state again changes nothing.",
		tag: "Calls",
		access: "agents:write",
		params: ofCall,
		body: UpdateCall,
		response: Call,
		errors: ["RESOURCE_NOT_FOUND", "REVISION_CONFLICT"],
	},
	({ ctx, params, body }) => updateCall(ctx, params.agent_id, params.call_id, body),
);
