import { logError } from "@parley/context/log";
import { DeliverWebhook } from "@parley/contracts/queue-messages";
import type { Ctx } from "../context.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { takeSeat } from "./seats.ts";
import { sendDeliveries } from "./send-deliveries.ts";

/** What found no seat comes back after this, when a receiver that does not answer has given up its own. */
const BACK_SECONDS = 10;

/**
 * Takes the messages of a batch all at once, and lets the queue go on while they are sent: a batch would last as long as its
 * slowest receiver, and the receivers of others would wait. All messages are acknowledged: what is due is in the database, and
 * what comes to nothing is the sweeper's to send again.
 */
export async function consumeWebhooks(
	ctx: Ctx,
	batch: MessageBatch,
	waitUntil: (sending: Promise<void>) => void,
): Promise<void> {
	await Promise.all(batch.messages.map((message) => handle(ctx, message, waitUntil)));
	batch.ackAll();
}

async function handle(
	ctx: Ctx,
	message: Message,
	waitUntil: (sending: Promise<void>) => void,
): Promise<void> {
	const parsed = DeliverWebhook.safeParse(message.body);
	if (!parsed.success)
		return logError("a message that nobody understands", parsed.error, { message: message.id });
	const { type, ...ref } = parsed.data;
	const leave = await takeSeat(ref.organisation_id);
	if (!leave) return sendDeliveries(ctx, [ref], BACK_SECONDS);
	const sending = deliverWebhook(ctx, parsed.data)
		.catch((error) => logError("delivering a webhook", error, ref))
		.finally(leave);
	waitUntil(sending);
}
