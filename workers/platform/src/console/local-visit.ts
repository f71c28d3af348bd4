const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"];
/** Headers by which a proxy says that the request came from somewhere else. */
const FORWARDING = [
	...["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"],
	...["x-forwarded-server", "x-original-host", "x-real-ip", "true-client-ip", "x-client-ip"],
];

/**
 * Whether somebody on this machine opens a page by hand: a top-level navigation to exactly a loopback host and the port of
 * this stack, through no proxy, and from no other site.
 */
export function isLocalVisit({ method, headers }: Request, port: string): boolean {
	const host = headers.get("host") ?? "";
	const origin = headers.get("origin");
	return (
		port !== "" &&
		method === "GET" &&
		LOOPBACK_HOSTS.some((name) => host === `${name}:${port}`) &&
		!FORWARDING.some((name) => headers.has(name)) &&
		(origin === null || origin === `http://${host}`) &&
		headers.get("sec-fetch-mode") === "navigate" &&
		headers.get("sec-fetch-dest") === "document" &&
		["none", "same-origin"].includes(headers.get("sec-fetch-site") ?? "")
	);
}
