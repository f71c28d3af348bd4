import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A real HTTP server on a free loopback port for the length of one test; its origin. Closed, nobody listens there. */
export async function startServer(listener: RequestListener, { isClosed = false } = {}): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const close = (): void => {
		server.closeAllConnections();
		server.close();
	};
	if (isClosed) close();
	else onTestFinished(close);
	return `http://127.0.0.1:${port}`;
}
