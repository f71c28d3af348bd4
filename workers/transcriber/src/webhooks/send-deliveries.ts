import type { DeliverWebhook } from "@parley/contracts/queue-messages";
import type { Ctx } from "../context.ts";
import { logError } from "../log.ts";

/** The queue's own limit. */
const MAX_BATCH = 100;

/** Has deliveries sent. A message that cannot be queued is the sweeper's to send: what is due is in the database. */
export async function sendDeliveries(
	{ env }: Ctx,
	due: Omit<DeliverWebhook, "type">[],
	delaySeconds = 0,
): Promise<void> {
	const messages = due.map((ref) => {
		const body: DeliverWebhook = { type: "DeliverWebhook", ...ref };
		return { body, delaySeconds };
	});
	try {
		for (let from = 0; from < messages.length; from += MAX_BATCH)
			await env.WEBHOOKS.sendBatch(messages.slice(from, from + MAX_BATCH));
	} catch (error) {
		logError("deliveries could not be queued", error);
	}
}
