import { DELIVERY_GRACE_MS } from "@parley/batch/deliveries";
import type { DeliveryAttempt } from "@parley/contracts/batch/webhooks";
import type { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import { type DeliveryRow, deliveries } from "@parley/db/batch/deliveries";
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Length of a lease. An attempt's request times out after 15 seconds. */
const LEASE_MS = 60_000;
/** Number of newest attempts that the log keeps. */
const MAX_ATTEMPTS_KEPT = 50;

export type ClaimedDelivery = DeliveryRow & { leaseToken: string };

/** Claims a delivery if it is due and no other worker holds its lease. */
export async function claimDelivery(
	{ db, clock }: Ctx,
	{ organisation_id, delivery_id }: DeliverWebhook,
): Promise<ClaimedDelivery | undefined> {
	const now = clock();
	const leaseToken = crypto.randomUUID();
	const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
	const [row] = await db
		.update(deliveries)
		.set({ leaseToken, leaseUntil, wakeAt: leaseUntil, claims: sql`${deliveries.claims} + 1` })
		.where(
			and(
				eq(deliveries.organisationId, organisation_id),
				eq(deliveries.id, delivery_id),
				eq(deliveries.status, "pending"),
				lte(deliveries.dueAt, now.toISOString()),
				or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, now.toISOString())),
			),
		)
		.returning();
	return row && { ...row, leaseToken };
}

type Outcome = { status: "delivered" | "failed" } | { status: "pending"; dueAt: Date };

/** Records an attempt. @returns false if the lease is lost or the delivery was deleted with its job */
export async function recordAttempt(
	{ db, clock }: Ctx,
	claimed: ClaimedDelivery,
	attempt: DeliveryAttempt,
	outcome: Outcome,
): Promise<boolean> {
	const recorded = await db
		.update(deliveries)
		.set({
			attempts: [...claimed.attempts, attempt].slice(-MAX_ATTEMPTS_KEPT),
			triesLeft: claimed.triesLeft - 1,
			leaseToken: null,
			leaseUntil: null,
			status: outcome.status,
			...timesOf(outcome),
			...(outcome.status === "delivered" && { deliveredAt: claimed.deliveredAt ?? clock().toISOString() }),
		})
		.where(
			and(
				eq(deliveries.organisationId, claimed.organisationId),
				eq(deliveries.id, claimed.id),
				eq(deliveries.status, "pending"),
				eq(deliveries.leaseToken, claimed.leaseToken),
			),
		)
		.returning({ id: deliveries.id });
	return recorded.length > 0;
}

function timesOf(outcome: Outcome) {
	if (outcome.status !== "pending") return { dueAt: null, wakeAt: null };
	const wakeAt = new Date(outcome.dueAt.getTime() + DELIVERY_GRACE_MS).toISOString();
	return { dueAt: outcome.dueAt.toISOString(), wakeAt };
}
