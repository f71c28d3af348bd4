import { EventCalls, ReportEvent } from "@parley/contracts/agents/tool-calls";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { reportEvent } from "./report-event.ts";

export const eventsRoutes = createAgentsRouter();

eventsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/{agent_id}/events",
		operationId: "reportEvent",
		summary: "Report an event of a call",
		description:
			"Runs the tools whose triggers name the event, in attachment order, then those chained to them by `tool_succeeded` and " +
			"`tool_failed`. Each attachment runs at most once per event. Tools run one after another. Give an `Idempotency-Key` " +
			"if you may report an event twice.",
		tag: "Tool calls",
		access: "runtime:use",
		params: z.object({ agent_id: Uuid }),
		body: ReportEvent,
		response: EventCalls,
		errors: ["RESOURCE_NOT_FOUND", "AGENT_INACTIVE", "FEATURE_DISABLED"],
		idempotent: true,
	},
	({ ctx, params, body }) => reportEvent(ctx, params.agent_id, body),
);
