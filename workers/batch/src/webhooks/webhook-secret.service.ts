import type {
	RotatedWebhookSecret,
	RotateWebhookSecret,
	WebhookSecret,
} from "@parley/contracts/batch/webhooks";
import type { WebhookSecretRow } from "@parley/db/batch/webhook-secrets";
import { listSigningSecrets, rotateSigningSecret } from "@parley/webhooks/signing-secrets";
import type { Ctx } from "../context.ts";

const HOUR_MS = 3_600_000;

export async function getWebhookSecret(ctx: Ctx): Promise<WebhookSecret> {
	const [current, ...previous] = await listSigningSecrets(ctx, ctx.actor.organisation.id);
	return {
		current: current ? { id: current.id, created_at: current.createdAt } : null,
		previous: toPrevious(previous),
	};
}

/** Several at once all succeed, one after the other. */
export async function rotateWebhookSecret(
	ctx: Ctx,
	{ overlap_hours }: RotateWebhookSecret,
): Promise<RotatedWebhookSecret> {
	const owner = { organisationId: ctx.actor.organisation.id, createdBy: ctx.actor.id };
	const { row, secret } = await rotateSigningSecret(ctx, owner, overlap_hours * HOUR_MS);
	const signing = await listSigningSecrets(ctx, owner.organisationId);
	const before = signing.filter(({ revision }) => revision < row.revision);
	return { id: row.id, created_at: row.createdAt, secret, previous: toPrevious(before) };
}

const toPrevious = (rows: WebhookSecretRow[]): WebhookSecret["previous"] =>
	rows.flatMap(({ id, createdAt, expiresAt }) =>
		expiresAt === null ? [] : [{ id, created_at: createdAt, expires_at: expiresAt }],
	);
