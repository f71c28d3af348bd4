import { Delivery, DeliveryPage, ListDeliveriesQuery } from "@parley/contracts/batch/webhooks";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import { listDeliveries, redeliver } from "./deliveries.service.ts";

export const deliveryRoutes = createBatchRouter();

deliveryRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/deliveries",
		operationId: "listDeliveries",
		summary: "List webhook deliveries",
		description: "Returns the notifications of a job with every attempt to deliver them.",
		tag: "Webhooks",
		access: "batch:read",
		params: JobPath,
		query: ListDeliveriesQuery,
		response: DeliveryPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listDeliveries(ctx, params.job_id, query),
);

deliveryRoutes.route(
	{
		method: "post",
		path: "/v1/batch/jobs/{job_id}/deliveries/{delivery_id}/redeliver",
		operationId: "redeliver",
		summary: "Redeliver a webhook",
		description: "Sends a notification again, once. It keeps its id and its body and is signed anew.",
		tag: "Webhooks",
		access: "batch:write",
		params: JobPath.extend({ delivery_id: z.string().describe("As the list of deliveries tells it") }),
		status: 202,
		location: "/v1/batch/jobs/{job_id}/deliveries",
		response: Delivery,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
		idempotent: true,
	},
	({ ctx, params }) => redeliver(ctx, params.job_id, params.delivery_id),
);
