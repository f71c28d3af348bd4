import type { JobRef } from "@parley/contracts/queue-messages";
import type { Ctx } from "../context.ts";
import type { Outgoing } from "../queue/send.ts";

/**
 * A job has so many chunks on the queue at once, each in a lane of its own: whoever has heard one sends the next of its lane.
 * A day's recording thus never stands as a whole before everybody else's.
 */
export const lanesOf = ({ env }: Ctx): number => Math.max(1, Number(env.CHUNKS_IN_FLIGHT));

export const toChunkMessage = (ref: JobRef, position: number): Outgoing => ({
	body: { ...ref, type: "TranscribeChunk", position },
});

/** The first chunk of every lane. */
export const firstOfLanes = (ctx: Ctx, ref: JobRef, chunks: number): Outgoing[] =>
	Array.from({ length: Math.min(chunks, lanesOf(ctx)) }, (_, position) => toChunkMessage(ref, position));

/** What follows a chunk in its lane; nothing after the last. */
export function nextInLane(ctx: Ctx, ref: JobRef, position: number, chunks: number): Outgoing[] {
	const next = position + lanesOf(ctx);
	return next < chunks ? [toChunkMessage(ref, next)] : [];
}
