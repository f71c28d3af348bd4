import { Delivery, DeliveryPage, ListDeliveriesQuery } from "@parley/contracts/webhooks";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../jobs/job-path.ts";
import { listDeliveries, redeliver } from "./deliveries.service.ts";

export const deliveryRoutes = createBatchRouter();

deliveryRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/deliveries",
		operationId: "listDeliveries",
		summary: "Whom a job's end was told, and what they answered",
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
		summary: "Send a notification again, once and now",
		description: "It has the id and the body of the first time, and the signature of today.",
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
