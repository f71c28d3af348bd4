import { FeedReady, JobChanged, JobDeleted } from "@parley/contracts/batch/events";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { openEventStream } from "./events.service.ts";

export const eventRoutes = createBatchRouter();

eventRoutes.route(
	{
		method: "get",
		path: "/v1/batch/events",
		operationId: "streamJobEvents",
		summary: "Stream job events",
		description:
			"Streams changes of the organisation's jobs as [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html). The first event is `ready`. Then `job` reports each change of a job's status or progress, and `job_deleted` each deletion.\n\nThe header `Last-Event-ID` resumes a stream that broke off a moment ago. If events may be missing, `ready` has `resumed: false`, and the client reads the jobs again. A comment follows every 8 seconds. The stream ends within 10 seconds after the key is revoked or the session ends.",
		tag: "Batch",
		access: "batch:read",
		status: 200,
		otherResponses: {
			200: {
				description: "The events. The schema is that of an event's `data`",
				content: { "text/event-stream": { schema: z.union([FeedReady, JobChanged, JobDeleted]) } },
			},
		},
	},
	async ({ ctx, request }) => {
		const events = await openEventStream(ctx, request.headers.get("last-event-id") ?? undefined);
		return new Response(events, {
			headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
		});
	},
);
