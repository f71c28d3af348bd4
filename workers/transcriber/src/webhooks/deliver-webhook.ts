import { toJobRef } from "@parley/batch/job-predicates";
import { notificationKey } from "@parley/batch/object-keys";
import type { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import { findJob } from "../jobs/job-row.ts";
import { sendDeliveries } from "../messages/send-deliveries.ts";
import { type ClaimedDelivery, claimDelivery, recordAttempt } from "./delivery-row.ts";
import { nextAttempt } from "./schedule.ts";
import { sendNotification, type Try } from "./send-notification.ts";

/** Number of claims after which we assume that this delivery crashes its worker. */
const MAX_CLAIMS = 25;

/**
 * Attempts a due delivery once, and schedules another attempt after a failure. Idempotent: a second call finds the delivery
 * claimed or done. A worker that dies between request and mark causes the notification to be sent again, under the same id.
 */
export async function deliverWebhook(ctx: Ctx, message: DeliverWebhook): Promise<void> {
	const claimed = await claimDelivery(ctx, message);
	const job = claimed && (await findJob(ctx, toJobRef(claimed)));
	if (!claimed || !job) return;
	const tried = claimed.claims > MAX_CLAIMS ? givenUp(ctx) : await sendNotification(ctx, job, claimed);
	const outcome = outcomeOf(ctx, claimed, tried);
	if (!(await recordAttempt(ctx, claimed, tried.attempt, outcome))) return removeIfGone(ctx, job, claimed);
	if (outcome.status !== "pending") return;
	const { organisation_id, delivery_id } = message;
	const delayMs = outcome.dueAt.getTime() - ctx.clock().getTime();
	await sendDeliveries(ctx, [{ organisation_id, delivery_id }], Math.max(0, Math.ceil(delayMs / 1000)));
}

function outcomeOf(
	{ clock, random }: Ctx,
	claimed: ClaimedDelivery,
	{ attempt, verdict, retryAfterMs }: Try,
) {
	const triesLeft = claimed.triesLeft - 1;
	if (verdict === "delivered") return { status: verdict };
	// A delivery that arrived once stays delivered, whatever a redelivery does.
	if (verdict === "final" || triesLeft < 1)
		return { status: claimed.deliveredAt === null ? ("failed" as const) : ("delivered" as const) };
	const startedAt = new Date(attempt.at);
	const dueAt = nextAttempt({ triesLeft, startedAt, now: clock(), retryAfterMs, random: random() });
	return { status: "pending" as const, dueAt };
}

const givenUp = ({ clock }: Ctx): Try => ({
	attempt: {
		at: clock().toISOString(),
		status_code: null,
		error: "The delivery was attempted several times and its worker stopped each time",
		duration_ms: 0,
		response_snippet: null,
	},
	verdict: "final",
});

/** Removes the stored body if the job was deleted or expired meanwhile, because no row refers to it any more. */
async function removeIfGone(ctx: Ctx, job: JobRow, claimed: ClaimedDelivery): Promise<void> {
	const row = await findJob(ctx, toJobRef(claimed));
	if (!row || row.id !== job.id || row.filesRemovedAt !== null)
		await ctx.env.MEDIA.delete(notificationKey(job, claimed.id));
}
