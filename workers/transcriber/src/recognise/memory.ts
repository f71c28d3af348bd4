/** Bytes of audio that an isolate may hold at once. Audio is copied on its way to the engine, and an isolate has 128 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
const POLL_MS = 20;

let heldBytes = 0;

/** Runs work that holds this many bytes once there is room. Work larger than the limit runs alone. */
export async function withinMemory<T>(
	bytes: number,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	// Polled: workerd does not let a request await a promise that another request settles.
	while (heldBytes > 0 && heldBytes + bytes > MAX_BYTES) {
		signal.throwIfAborted();
		await scheduler.wait(POLL_MS);
	}
	heldBytes += bytes;
	try {
		return await work();
	} finally {
		heldBytes -= bytes;
	}
}
