import { UsageQuery, UsageReport } from "@parley/contracts/platform/usage";
import { createPlatformRouter } from "../context.ts";
import { reportUsage } from "./usage.service.ts";

export const usageRoutes = createPlatformRouter();

usageRoutes.route(
	{
		method: "get",
		path: "/v1/usage",
		operationId: "getUsage",
		summary: "Report usage",
		description:
			"Returns what the organisation used per day, model or key. Days are in UTC, and today is included. A report covers at most 366 days.",
		tag: "Account",
		access: "audit:read",
		query: UsageQuery,
		response: UsageReport,
	},
	({ ctx, query }) => reportUsage(ctx, query),
);
