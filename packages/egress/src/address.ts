import ipaddr from "ipaddr.js";
import { BAD_PORTS } from "./bad-ports.ts";
import { EgressError } from "./egress-error.ts";

export type AddressRules = {
	/** Lets requests reach loopback, by http and https, and nothing else. For development and tests. */
	allowLoopback?: boolean;
	/** Ports of loopback that stay refused: those on which the stack itself listens. */
	ownPorts?: ReadonlySet<number>;
	/** Lets paths below `/cdn-cgi/` through, for a request of the stack to its own storage. */
	allowControlPaths?: boolean;
};

/** Names that only a private network, the machine itself or a cloud's metadata service answers to. */
const PRIVATE_NAMES = ["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home"]
	.concat(["lan", "svc", "home.arpa", "metadata.goog", "localdomain4", "localdomain6"])
	.map((name) => `.${name}`);

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Azure's host agent: a public number that is answered from inside. */
const AZURE_WIRE_SERVER = "168.63.129.16";

/**
 * Parses a URL and checks that requests to it may leave: https, no user info, a public host, a port that no other protocol
 * owns, no path of the host's own network.
 *
 * The WHATWG parser has by then folded every notation of an IPv4 address (decimal, octal, hex, short, full-width,
 * percent-encoded) to dotted decimal, so fetch must be given the URL returned here. A name is judged by its text alone;
 * what it resolves to is checked by `checkAddress` where a resolver is at hand.
 * @throws EgressError `invalid_url` or `blocked_address`.
 */
export function checkUrl(input: string | URL, rules: AddressRules = {}): URL {
	const url = URL.parse(String(input));
	if (!url) throw new EgressError("invalid_url");
	const mayBeHttp = rules.allowLoopback === true && url.protocol === "http:";
	if (url.protocol !== "https:" && !mayBeHttp)
		throw new EgressError("invalid_url", "Only https URLs are allowed");
	if (url.username !== "" || url.password !== "")
		throw new EgressError("invalid_url", "A URL must not hold a user name or password");
	checkHost(url, rules);
	if (url.protocol === "http:" && !isLoopback(hostOf(url)))
		throw new EgressError("invalid_url", "Only https URLs are allowed, except on loopback addresses");
	if (BAD_PORTS.has(portOf(url)))
		throw new EgressError("blocked_address", "The port belongs to another protocol");
	if (rules.allowControlPaths !== true && isControlPath(url.pathname))
		throw new EgressError("blocked_address", "Paths below /cdn-cgi/ belong to the host's own network");
	return url;
}

/**
 * Refuses an IP address that is not public unicast, in any notation.
 * @param port of the request; on loopback, the stack's own are refused.
 * @throws EgressError `blocked_address`; text that is no address at all counts as blocked.
 */
export function checkAddress(address: string, port: number, rules: AddressRules = {}): void {
	// A zone (`fe80::1%eth0`) picks a way out of the machine, which no public address needs.
	if (!ipaddr.isValid(address) || address.includes("%")) throw new EgressError("blocked_address");
	if (isLoopback(address) && rules.allowLoopback === true) checkOwnPort(port, rules);
	else if (!isPublic(ipaddr.parse(address))) throw new EgressError("blocked_address");
}

/** Returns the port of a URL, that of its protocol when none is written. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "http:" ? 80 : 443));

/** Reports whether only a resolver knows where the host of a checked URL is. Localhost is this machine, RFC 6761 section 6.3. */
export const needsResolver = (url: URL): boolean => !ipaddr.isValid(hostOf(url)) && !isLoopback(hostOf(url));

/** Reports whether a host is this machine by its text alone. */
export const isLoopback = (host: string): boolean =>
	host === "localhost" ||
	host.endsWith(".localhost") ||
	(ipaddr.isValid(host) && ipaddr.parse(host).range() === "loopback");

/** Returns the host of a URL without brackets and without the dot that ends an absolute name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

function checkHost(url: URL, rules: AddressRules): void {
	const host = hostOf(url);
	if (ipaddr.isValid(host)) {
		checkAddress(host, portOf(url), rules);
		return;
	}
	const labels = host.split(".");
	if (host.length > 253 || labels.some((label) => label === "" || label.length > 63))
		throw new EgressError("invalid_url", "The host name is not valid");
	if (isLoopback(host) && rules.allowLoopback === true) checkOwnPort(portOf(url), rules);
	else if (labels.length === 1 || PRIVATE_NAMES.some((suffix) => `.${host}`.endsWith(suffix)))
		throw new EgressError("blocked_address");
}

function checkOwnPort(port: number, { ownPorts }: AddressRules): void {
	if (ownPorts?.has(port)) throw new EgressError("blocked_address", "The address is the deployment's own");
}

/**
 * Tells whether an address is public. Among IPv6 addresses only global unicast is. That excludes every form that carries an IPv4
 * address (mapped, compatible, translated, NAT64). ipaddr.js names those within 2000::/3 (6to4, Teredo).
 */
function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
	// The library's types give the range of an ordinary address as one of a closed list that lacks some of its own names.
	if ((ip.range() as string) !== "unicast") return false;
	return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_UNICAST_V6) : ip.toString() !== AZURE_WIRE_SERVER;
}

/** Number of times a path is percent-decoded, for hosts that decode it more than once. */
const MAX_DECODINGS = 4;

/**
 * Reports whether a path lies below `/cdn-cgi/`, where Cloudflare's edge and its local simulator answer in the host's place; in any
 * case and encoding, dot segments resolved.
 */
function isControlPath(pathname: string): boolean {
	let path = pathname;
	for (let round = 0; round <= MAX_DECODINGS; round++) {
		if (firstSegment(path)?.toLowerCase() === "cdn-cgi") return true;
		const decoded = path.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
			String.fromCharCode(Number.parseInt(digits, 16)),
		);
		if (decoded === path) return false;
		path = decoded;
	}
	return false;
}

function firstSegment(path: string): string | undefined {
	const segments: string[] = [];
	for (const segment of path.split(/[/\\]/)) {
		if (segment === "..") segments.pop();
		else if (segment !== "" && segment !== ".") segments.push(segment);
	}
	return segments[0];
}
