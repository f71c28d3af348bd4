/** Audio that an isolate holds at once: it is copied on its way to the engine, and an isolate has 128 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const LOOK_AGAIN_MS = 20;

let heldBytes = 0;

/** Does work that holds so many bytes, once there is room for them. Work that is too large for any room goes alone. */
export async function withinMemory<T>(
	bytes: number,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	// Polled: other requests make the room, and a promise that another request settles is not to be relied on.
	while (heldBytes > 0 && heldBytes + bytes > MAX_BYTES) {
		signal.throwIfAborted();
		await scheduler.wait(LOOK_AGAIN_MS);
	}
	heldBytes += bytes;
	try {
		return await work();
	} finally {
		heldBytes -= bytes;
	}
}
