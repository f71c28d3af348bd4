import { RotatedWebhookSecret, RotateWebhookSecret, WebhookSecret } from "@parley/contracts/webhooks";
import { createBatchRouter } from "../context.ts";
import { getWebhookSecret, rotateWebhookSecret } from "./webhook-secret.service.ts";

export const webhookSecretRoutes = createBatchRouter();

webhookSecretRoutes.route(
	{
		method: "get",
		path: "/v1/batch/webhook-secret",
		operationId: "getWebhookSecret",
		summary: "Which secrets sign notifications, without their values",
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
		summary: "Make a new secret, or the first one",
		description:
			"The answer is the only place where it is shown. Those before it sign beside it for `overlap_hours`, five secrets in all at most. A first job with notifications makes a secret that nobody has seen: rotate before that, or after it, to have one that you know.",
		tag: "Webhooks",
		access: "batch:write",
		body: RotateWebhookSecret.prefault({}),
		response: RotatedWebhookSecret,
		idempotent: { redact: (answer) => ({ ...(answer as RotatedWebhookSecret), secret: null }) },
	},
	({ ctx, body }) => rotateWebhookSecret(ctx, body),
);
