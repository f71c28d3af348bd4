import {
	OpenedRuntimeSession,
	OpenRuntimeSession,
	RuntimeSession,
	RuntimeSessionPage,
	RuntimeSessionQuery,
} from "@parley/contracts/agents/runtime-sessions";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { endSession, getSession, listSessions, openSession } from "./sessions.service.ts";

export const sessionsRoutes = createAgentsRouter();

const ofAgent = z.object({ agent_id: Uuid });
const ofSession = z.object({ agent_id: Uuid, session_id: Uuid });

sessionsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/sessions",
		operationId: "openRuntimeSession",
		summary: "Open a session",
		description:
			"One live call or chat. Returns the greeting and the system prompt with their placeholders resolved, and a token that " +
			"works wherever an agent key does, until the session ends. The version of the agent is fixed for the life of the session.",
		tag: "Runtime",
		access: "runtime:use",
		rate: "write",
		refusesSessionTokens: true,
		params: ofAgent,
		body: OpenRuntimeSession,
		status: 201,
		location: "/v1/agents/{agent_id}/sessions/{session_id}",
		response: OpenedRuntimeSession,
		errors: ["RESOURCE_NOT_FOUND", "AGENT_INACTIVE"],
		idempotent: { redact: (answer) => ({ ...(answer as OpenedRuntimeSession), token: null }) },
	},
	({ ctx, params, body, request }) => openSession(ctx, params.agent_id, body, new URL(request.url).origin),
);

sessionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/sessions",
		operationId: "listRuntimeSessions",
		summary: "List an agent's sessions",
		description: "Newest first. Sessions are kept for 30 days after their end. Agent keys cannot read them.",
		tag: "Runtime",
		access: "agents:read",
		params: ofAgent,
		query: RuntimeSessionQuery,
		response: RuntimeSessionPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listSessions(ctx, params.agent_id, query),
);

sessionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/sessions/{session_id}",
		operationId: "getRuntimeSession",
		summary: "Get a session",
		description: "Returns the session with its variables, without its token. Agent keys cannot read it.",
		tag: "Runtime",
		access: "agents:read",
		params: ofSession,
		response: RuntimeSession,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getSession(ctx, params.agent_id, params.session_id),
);

sessionsRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/{agent_id}/sessions/{session_id}",
		operationId: "endRuntimeSession",
		summary: "End a session",
		description:
			"Its token stops working everywhere within ten seconds. Calls that are running go on. A session token can end only its own session.",
		tag: "Runtime",
		access: "runtime:use",
		params: ofSession,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => endSession(ctx, params.agent_id, params.session_id),
);
