import type { RequestListener } from "node:http";
import { startLoopback } from "@parley/testing/loopback";
import { onTestFinished } from "vitest";

/** A real HTTP server on a free loopback port for the length of one test; its origin. Closed, nobody listens there. */
export async function startServer(listener: RequestListener, { isClosed = false } = {}): Promise<string> {
	const { url, stop } = await startLoopback(listener);
	if (isClosed) await stop();
	else onTestFinished(stop);
	return url;
}
