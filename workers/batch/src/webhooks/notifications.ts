import type { SubmitJob } from "@parley/contracts/batch/job-submission";
import {
	type NotificationConfig,
	type SealedNotification,
	type ShownNotification,
	splitAuthHeader,
} from "@parley/contracts/batch/webhooks";
import type { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import { deliveries } from "@parley/db/batch/deliveries";
import { newId } from "@parley/db/id";
import { fingerprint } from "@parley/vault/fingerprint";
import { kekRing } from "@parley/vault/kek-ring";
import { sealHeaders } from "@parley/webhooks/sealed-headers";
import { ensureSigningSecret } from "@parley/webhooks/signing-secrets";
import type { Ctx } from "../context.ts";
import { outgoingUrl } from "../outgoing-url.ts";

/**
 * Notifications in the form that is kept until the job is made and beyond. From the first one on the organisation has a
 * secret, so that every notification is signed.
 * @throws ApiError INVALID_REQUEST naming the URL that may not be requested.
 */
export async function sealNotifications(
	ctx: Ctx,
	jobId: string,
	config: NotificationConfig = [],
): Promise<SealedNotification[]> {
	const { id: organisationId } = ctx.actor.organisation;
	const urls = config.map(({ url }, index) => outgoingUrl(ctx, `notification_config.${index}.url`, url));
	if (config.length > 0) await ensureSigningSecret(ctx, { organisationId, createdBy: ctx.actor.id });
	const sealed: SealedNotification[] = [];
	for (const [position, { auth_headers, ...target }] of config.entries()) {
		sealed.push({
			...target,
			url: urls[position] ?? target.url,
			auth_headers: auth_headers.map((header) => splitAuthHeader(header).name),
			sealed_headers: await sealHeaders(ctx, { organisationId, jobId, position }, auth_headers),
		});
	}
	return sealed;
}

/** A submission by which it can be known again without keeping anything that helps to guess its secrets. */
export async function fingerprinted(ctx: Ctx, body: SubmitJob): Promise<SubmitJob> {
	if (!body.notification_config) return body;
	const ring = await kekRing(ctx.env.VAULT_KEK);
	const notification_config = body.notification_config.map(async (notification) => ({
		...notification,
		auth_headers: await Promise.all(notification.auth_headers.map((header) => fingerprint(ring, header))),
	}));
	return { ...body, notification_config: await Promise.all(notification_config) };
}

export const toShown = ({ sealed_headers, ...shown }: SealedNotification): ShownNotification => shown;

/** The statements that write a job's deliveries, for the batch that makes the job; none when nobody is told. */
export function insertDeliveries(
	{ db, actor, clock }: Ctx,
	jobId: string,
	notifications: readonly SealedNotification[],
) {
	if (notifications.length === 0) return [];
	const organisationId = actor.organisation.id;
	const rows = notifications.map(({ url, method, contents, sealed_headers }, position) => ({
		...{ organisationId, id: newId(), jobId, position, url, method, contents },
		...{ sealedHeaders: sealed_headers, status: "waiting" as const, attempts: [] },
		createdAt: clock().toISOString(),
	}));
	return [db.insert(deliveries).values(rows)];
}

/** Has deliveries that are due sent, after the answer. Should that fail, the sweeper sends them. */
export function deferDeliveries({ env, defer }: Ctx, due: Omit<DeliverWebhook, "type">[]): void {
	if (due.length === 0) return;
	const messages = due.map((ref) => {
		const body: DeliverWebhook = { type: "DeliverWebhook", ...ref };
		return { body };
	});
	defer(env.WEBHOOKS.sendBatch(messages));
}
