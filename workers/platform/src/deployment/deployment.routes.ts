import { Deployment } from "@parley/contracts/platform/deployment";
import { limitOf } from "@parley/http/rate-limit/limits";
import { createPlatformRouter } from "../context.ts";
import { getDeployment } from "./deployment.service.ts";

export const deploymentRoutes = createPlatformRouter();

deploymentRoutes.route(
	{
		method: "get",
		path: "/v1/deployment",
		operationId: "getDeployment",
		summary: "Get the deployment",
		description:
			"Returns the regions, models, retention and limits of this deployment. The status of each model's engine comes from the organisation's own batch jobs of the last 24 hours.",
		tag: "Account",
		access: "any-key",
		response: Deployment,
	},
	({ ctx }) => getDeployment(ctx, (policy) => limitOf(ctx.home, policy) ?? null),
);
