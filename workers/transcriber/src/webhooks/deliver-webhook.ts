import type { DeliverWebhook } from "@parley/contracts/queue-messages";
import type { JobRow } from "@parley/db/jobs";
import { notificationKey } from "@parley/db/media";
import type { Ctx } from "../context.ts";
import { findJob, refOf } from "../jobs/job-row.ts";
import { type ClaimedDelivery, claimDelivery, recordAttempt } from "./delivery-row.ts";
import { nextTry } from "./schedule.ts";
import { sendDeliveries } from "./send-deliveries.ts";
import { sendNotification, type Try } from "./send-notification.ts";

/** A delivery that was begun this often without coming to an end takes its worker down with it. */
const MAX_CLAIMS = 25;

/**
 * Tries a delivery that is due once, and has it tried again when that fails. Twice is once: whoever comes second finds it
 * held or done. A worker that dies between request and mark leaves it to be sent once more, under the same id.
 */
export async function deliverWebhook(ctx: Ctx, message: DeliverWebhook): Promise<void> {
	const claimed = await claimDelivery(ctx, message);
	const job = claimed && (await findJob(ctx, refOf(claimed)));
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
	// What has arrived has arrived, however sending it once more went.
	if (verdict === "final" || triesLeft < 1)
		return { status: claimed.deliveredAt === null ? ("failed" as const) : ("delivered" as const) };
	const startedAt = new Date(attempt.at);
	const dueAt = nextTry({ triesLeft, startedAt, now: clock(), retryAfterMs, random: random() });
	return { status: "pending" as const, dueAt };
}

const givenUp = ({ clock }: Ctx): Try => ({
	attempt: {
		at: clock().toISOString(),
		status_code: null,
		error: "The delivery was begun several times and broke off each time",
		duration_ms: 0,
		response_snippet: null,
	},
	verdict: "final",
});

/** The job was deleted, or its retention ended, while its notification was made: nothing names that any more. */
async function removeIfGone(ctx: Ctx, job: JobRow, claimed: ClaimedDelivery): Promise<void> {
	const row = await findJob(ctx, refOf(claimed));
	if (!row || row.id !== job.id || row.filesRemovedAt !== null)
		await ctx.env.MEDIA.delete(notificationKey(job, claimed.id));
}
