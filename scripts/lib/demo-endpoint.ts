// An HTTP server on loopback that a demo's tool calls: it remembers who asked, and tells too much in its answer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Endpoint = { url: string; lastAuthorization: () => string | undefined; close: () => void };

/** Starts on a free port. */
export async function startEndpoint(): Promise<Endpoint> {
	let authorization: string | undefined;
	const server = createServer((request, response) => {
		authorization = request.headers.authorization;
		request.resume();
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ forecast: "clear", you_sent: authorization }));
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		lastAuthorization: () => authorization,
		close: () => server.close(),
	};
}
