import { DeliverWebhook } from "@parley/contracts/queue-messages";
import type { Ctx } from "../context.ts";
import { logError } from "../log.ts";
import { deliverWebhook } from "./deliver-webhook.ts";

const RETRY_SECONDS = 10;

/** Takes the messages of a batch all at once. What fails here never reached its host: the sweeper outlives the queue's retries. */
export async function consumeWebhooks(ctx: Ctx, batch: MessageBatch): Promise<void> {
	await Promise.all(batch.messages.map((message) => handle(ctx, message)));
}

async function handle(ctx: Ctx, message: Message): Promise<void> {
	const parsed = DeliverWebhook.safeParse(message.body);
	if (!parsed.success) {
		logError("a message that nobody understands", parsed.error, { message: message.id });
		return message.ack();
	}
	try {
		await deliverWebhook(ctx, parsed.data);
		message.ack();
	} catch (error) {
		logError("delivering a webhook", error, { ...parsed.data });
		message.retry({ delaySeconds: RETRY_SECONDS });
	}
}
