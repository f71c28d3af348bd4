// An HTTP server on loopback that a demo's tool calls: it remembers who asked, and tells too much in its answer.
import { type Loopback, startLoopback } from "@parley/testing/loopback";

export type Endpoint = Loopback & { lastAuthorization: () => string | undefined };

/** Starts on a free port. */
export async function startEndpoint(): Promise<Endpoint> {
	let authorization: string | undefined;
	const loopback = await startLoopback((request, response) => {
		authorization = request.headers.authorization;
		request.resume();
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify({ forecast: "clear", you_sent: authorization }));
	});
	return { ...loopback, lastAuthorization: () => authorization };
}
