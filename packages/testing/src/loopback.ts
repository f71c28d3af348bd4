import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type Loopback = {
	/** Without a path. */
	url: string;
	/** Drops what is open, and ends. */
	stop: () => Promise<void>;
};

/** A real HTTP server on a free loopback port. */
export async function startLoopback(listener: RequestListener): Promise<Loopback> {
	const server = createServer(listener);
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: () =>
			new Promise((stopped) => {
				server.close(() => stopped());
				server.closeAllConnections();
			}),
	};
}
