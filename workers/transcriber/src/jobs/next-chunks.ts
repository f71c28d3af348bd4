import type { JobRef } from "@parley/contracts/internal/queue-messages";
import type { Ctx } from "../context.ts";
import type { OutgoingMessage } from "../messages/send-messages.ts";

/**
 * Returns the number of chunks that a job may have on the queue at once. Each completed chunk sends the one that lies this many
 * positions behind it, so that a day's recording does not delay all other jobs.
 */
export const chunksInFlight = ({ env }: Ctx): number => Math.max(1, Number(env.CHUNKS_IN_FLIGHT));

export const toChunkMessage = (ref: JobRef, position: number): OutgoingMessage => ({
	body: { ...ref, type: "TranscribeChunk", position },
});

/** Returns the messages for the first chunks of a job. */
export const firstChunks = (ctx: Ctx, ref: JobRef, chunks: number): OutgoingMessage[] =>
	Array.from({ length: Math.min(chunks, chunksInFlight(ctx)) }, (_, position) =>
		toChunkMessage(ref, position),
	);

/** Returns the message for the chunk that follows a completed one, none after the last. */
export function nextChunk(ctx: Ctx, ref: JobRef, position: number, chunks: number): OutgoingMessage[] {
	const next = position + chunksInFlight(ctx);
	return next < chunks ? [toChunkMessage(ref, next)] : [];
}
