import { EgressError } from "./egress-error.ts";

type BodyGuard = {
	maxBytes: number;
	/** Fewer bytes in so much waiting are too few. */
	slowest?: { ms: number; bytes: number };
	/** Its reason is the error that readers get. */
	signal: AbortSignal;
	/** Turns what the runtime throws into what readers get. */
	toError: (error: unknown) => unknown;
	/** Runs each wait for more of the source. */
	wait: <T>(read: () => Promise<T>) => Promise<T>;
	/** Called once, when nothing more will be read. */
	onEnd: () => void;
};

/**
 * The same bytes, until they pass `maxBytes` (counted after content decoding) or the signal aborts: then readers get an
 * error and the source is let go. Nothing is read ahead of the reader.
 */
export function guardBody(source: ReadableStream<Uint8Array>, guard: BodyGuard): ReadableStream<Uint8Array> {
	const reader = source.getReader();
	let received = 0;
	const isTooSlow = paceOf(guard.slowest);
	let isOpen = true;
	const end = (): void => {
		isOpen = false;
		guard.signal.removeEventListener("abort", onAbort);
		guard.onEnd();
	};
	const fail = (error: unknown): void => {
		if (!isOpen) return;
		end();
		controller.error(error);
		reader.cancel(error).catch(() => undefined);
	};
	const onAbort = (): void => fail(guard.signal.reason);
	let controller: ReadableStreamDefaultController<Uint8Array>;
	return new ReadableStream<Uint8Array>(
		{
			start(own) {
				controller = own;
				guard.signal.addEventListener("abort", onAbort);
				if (guard.signal.aborted) onAbort();
			},
			async pull() {
				try {
					const askedAt = Date.now();
					const { done, value } = await guard.wait(() => reader.read());
					if (!isOpen) return;
					if (done) {
						end();
						return controller.close();
					}
					received += value.byteLength;
					if (received > guard.maxBytes) return fail(new EgressError("body_too_large"));
					if (isTooSlow(value.byteLength, Date.now() - askedAt)) return fail(new EgressError("timeout"));
					controller.enqueue(value);
				} catch (error) {
					fail(guard.toError(error));
				}
			},
			cancel(reason) {
				if (isOpen) end();
				return reader.cancel(reason);
			},
		},
		{ highWaterMark: 0 },
	);
}

/** Takes in how many bytes came after how long a wait, and tells whether they come too slowly by now. */
function paceOf({ ms, bytes }: { ms: number; bytes: number } = { ms: 0, bytes: 0 }) {
	let waitedMs = 0;
	let came = 0;
	return (more: number, afterMs: number): boolean => {
		waitedMs += afterMs;
		came += more;
		if (came >= bytes) [waitedMs, came] = [0, 0];
		return came < bytes && waitedMs >= ms;
	};
}

/**
 * The whole body in memory, at most `maxBytes` of it.
 * @throws EgressError `body_too_large`, and whatever reading the body throws.
 */
export async function readCapped(
	response: { readonly body: ReadableStream<Uint8Array> | null },
	maxBytes: number,
): Promise<Uint8Array> {
	const reader = response.body?.getReader();
	const chunks: Uint8Array[] = [];
	let length = 0;
	while (reader) {
		const { done, value } = await reader.read();
		if (done) break;
		length += value.byteLength;
		if (length > maxBytes) {
			reader.cancel().catch(() => undefined);
			throw new EgressError("body_too_large");
		}
		chunks.push(value);
	}
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.byteLength;
	}
	return bytes;
}
