import type { TranscriptionMessage } from "@parley/contracts/internal/queue-messages";
import type { Ctx } from "../context.ts";

/** Messages per `sendBatch` call, the queue's limit. */
const MAX_BATCH = 100;

export type OutgoingMessage = { body: TranscriptionMessage; delaySeconds?: number };

/** Sends each message on the queue of its kind. */
export async function sendMessages({ env }: Ctx, messages: OutgoingMessage[]): Promise<void> {
	for (const [name, own] of Map.groupBy(messages, ({ body }) => queueOf(body))) {
		await sendInBatches(env[name], own);
	}
}

function queueOf({ type }: TranscriptionMessage): "INPUTS" | "CHUNKS" | "EXTRAS" | "TRANSCRIPTION" {
	switch (type) {
		case "FetchInput":
			return "INPUTS";
		case "TranscribeChunk":
			return "CHUNKS";
		case "MakeExtras":
			return "EXTRAS";
		default:
			return "TRANSCRIPTION";
	}
}

/** Sends any number of messages. */
export async function sendInBatches<T>(queue: Queue<T>, messages: MessageSendRequest<T>[]): Promise<void> {
	for (let from = 0; from < messages.length; from += MAX_BATCH) {
		await queue.sendBatch(messages.slice(from, from + MAX_BATCH));
	}
}
