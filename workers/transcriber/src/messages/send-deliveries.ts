import { logError } from "@parley/context/log";
import type { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import type { Ctx } from "../context.ts";
import { sendInBatches } from "./send-messages.ts";

/** Queues deliveries. The sweeper resends a message that cannot be queued, because due deliveries are in the database. */
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
		await sendInBatches(env.WEBHOOKS, messages);
	} catch (error) {
		logError("deliveries could not be queued", error);
	}
}
