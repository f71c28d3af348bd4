import { UsageQuery, UsageReport } from "@parley/contracts/usage";
import { createPlatformRouter } from "../context.ts";
import { reportUsage } from "./usage.service.ts";

export const usageRoutes = createPlatformRouter();

usageRoutes.route(
	{
		method: "get",
		path: "/v1/usage",
		operationId: "getUsage",
		summary: "What the organisation used, by day, model or key",
		description: "Days are UTC; today is included.",
		tag: "Account",
		access: "audit:read",
		query: UsageQuery,
		response: UsageReport,
	},
	({ ctx, query }) => reportUsage(ctx, query),
);
