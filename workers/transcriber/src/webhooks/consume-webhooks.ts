import { logError } from "@parley/context/log";
import { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import type { Ctx } from "../context.ts";
import { sendDeliveries } from "../messages/send-deliveries.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { acquireSlot } from "./slots.ts";

/** Delay after which a delivery without a slot is tried again. */
const RETRY_DELAY_SECONDS = 10;

/**
 * Handles the messages of a batch concurrently and acknowledges all of them at once. A batch would otherwise last as long as its
 * slowest receiver. Due deliveries are in the database, so the sweeper resends what fails.
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
		return logError("a message has an unknown format", parsed.error, { message: message.id });
	const { type, ...ref } = parsed.data;
	const release = await acquireSlot(ref.organisation_id);
	if (!release) return sendDeliveries(ctx, [ref], RETRY_DELAY_SECONDS);
	const sending = deliverWebhook(ctx, parsed.data)
		.catch((error) => logError("could not deliver a webhook", error, ref))
		.finally(release);
	waitUntil(sending);
}
