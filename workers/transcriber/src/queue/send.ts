import type { TranscriptionMessage } from "@parley/contracts/queue-messages";
import type { Ctx } from "../context.ts";

/** The queue's own limit. */
const MAX_BATCH = 100;

export type Outgoing = { body: TranscriptionMessage; delaySeconds?: number };

export async function sendAll({ env }: Ctx, messages: Outgoing[]): Promise<void> {
	for (let from = 0; from < messages.length; from += MAX_BATCH) {
		await env.TRANSCRIPTION.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
