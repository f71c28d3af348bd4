import { request as httpRequest } from "node:http";
import { type Loopback, startLoopback } from "@parley/testing/loopback";

/**
 * A proxy that adds a credential, which the suite cannot send. It leaves `Host` and `Origin` as they are, because the suite checks
 * what becomes of foreign ones.
 * @returns the proxy, with the protocol versions that its clients named
 */
export async function startAuthorizingProxy(
	target: string,
	key: string,
): Promise<Loopback & { revisions: Set<unknown> }> {
	const { hostname, port, pathname } = new URL(target);
	const revisions = new Set<unknown>();
	const loopback = await startLoopback((incoming, response) => {
		const { method, headers } = incoming;
		const revision = headers["mcp-protocol-version"];
		if (revision !== undefined) revisions.add(revision);
		const options = {
			...{ hostname, port, method, path: pathname, setHost: false },
			headers: { ...headers, authorization: `Bearer ${key}` },
		};
		const outgoing = httpRequest(options, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		outgoing.on("error", () => response.destroy());
		response.on("close", () => outgoing.destroy());
		incoming.pipe(outgoing);
	});
	return { ...loopback, revisions };
}
