import { RotatedWebhookSecret, RotateWebhookSecret, WebhookSecret } from "@parley/contracts/batch/webhooks";
import { createBatchRouter } from "../context.ts";
import { getWebhookSecret, rotateWebhookSecret } from "./webhook-secret.service.ts";

export const webhookSecretRoutes = createBatchRouter();

webhookSecretRoutes.route(
	{
		method: "get",
		path: "/v1/batch/webhook-secret",
		operationId: "getWebhookSecret",
		summary: "Get the webhook secrets",
		description: "Returns which secrets sign notifications, without their values.",
		tag: "Webhooks",
		access: "batch:read",
		response: WebhookSecret,
	},
	({ ctx }) => getWebhookSecret(ctx),
);

webhookSecretRoutes.route(
	{
		method: "post",
		path: "/v1/batch/webhook-secret/rotate",
		operationId: "rotateWebhookSecret",
		summary: "Rotate the webhook secret",
		description:
			"Creates a secret and returns it. It is shown only here. Earlier secrets sign beside it for `overlap_hours`, five secrets at most.\n\nThe first job with notifications creates a secret that nobody has seen. Rotate to get one that you know.",
		tag: "Webhooks",
		access: "batch:write",
		body: RotateWebhookSecret.prefault({}),
		response: RotatedWebhookSecret,
		idempotent: { redact: (answer) => ({ ...(answer as RotatedWebhookSecret), secret: null }) },
	},
	({ ctx, body }) => rotateWebhookSecret(ctx, body),
);
