import { type HeldCredential, heldCredential, isStillValid } from "@parley/auth/credential-state";
import type { JobFeedMessage } from "@parley/contracts/batch/events";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { listen } from "./listen.ts";

/** A revoked key or an ended session closes the stream within ten seconds. Each check is a heartbeat as well. */
export const CHECK_MS = 8_000;
const RECONNECT_MS = 2_000;
/** Events that wait for a slow reader. One with more is cut off, and reads its jobs again when it comes back. */
const MAX_WAITING = 1_000;

/**
 * Opens the stream of server-sent events of the caller's organisation.
 * @throws ApiError AUTH_REQUIRED or SESSION_EXPIRED for a credential that has just ended; FORBIDDEN for an actor whose
 * credential cannot be checked while the stream is open; RATE_LIMITED
 */
export async function openEventStream(
	ctx: Ctx,
	lastEventId: string | undefined,
	{ checkMs = CHECK_MS }: { checkMs?: number } = {},
): Promise<ReadableStream<Uint8Array>> {
	const credential = heldCredential(ctx.actor);
	if (!credential) throw new ApiError("FORBIDDEN", "Event streams need an API key or a console session");
	if (!(await isStillValid(ctx, credential))) throw hasEnded(credential);
	const stream = createTextStream();
	stream.send(`retry: ${RECONNECT_MS}\n\n`);
	const which = lastEventId === undefined ? {} : { last_event_id: lastEventId };
	const listener = await listen(ctx, which, (message) => stream.send(toServerSentEvent(message)));
	const watch = setInterval(async () => {
		if (await isStillValid(ctx, credential).catch(() => false)) stream.send(": heartbeat\n\n");
		else stream.end();
	}, checkMs);
	void listener.closed.then(stream.end);
	void stream.ended.then(() => {
		clearInterval(watch);
		listener.close();
	});
	return stream.readable;
}

/** Creates a stream of text that ends when its reader leaves or reads too slowly. */
function createTextStream() {
	const encoder = new TextEncoder();
	const { promise: ended, resolve } = Promise.withResolvers<void>();
	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	const readable = new ReadableStream<Uint8Array>(
		{
			start: (given) => {
				controller = given;
			},
			cancel: () => {
				controller = undefined;
				resolve();
			},
		},
		{ highWaterMark: MAX_WAITING },
	);
	const end = () => {
		controller?.close();
		controller = undefined;
		resolve();
	};
	const send = (text: string) => {
		controller?.enqueue(encoder.encode(text));
		if ((controller?.desiredSize ?? 0) < 0) end();
	};
	return { readable, send, end, ended };
}

const hasEnded = ({ sessionId }: HeldCredential) =>
	sessionId === null
		? new ApiError("AUTH_REQUIRED", "Invalid API key")
		: new ApiError("SESSION_EXPIRED", "Your session has expired. Sign in again.");

const toServerSentEvent = ({ id, event, data }: JobFeedMessage): string =>
	`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
