import ipaddr from "ipaddr.js";
import { BAD_PORTS } from "./bad-ports.ts";
import { EgressError } from "./egress-error.ts";

export type AddressRules = {
	/** Lets http and loopback hosts through, and nothing else. For development and tests. */
	allowLoopback?: boolean;
};

/** Names that only a private network, the machine itself or a cloud's metadata service answers to. */
const PRIVATE_NAMES = ["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home"]
	.concat(["lan", "svc", "home.arpa", "metadata.goog", "localdomain4", "localdomain6"])
	.map((name) => `.${name}`);

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** Azure's host agent: a public number that is answered from inside. */
const AZURE_WIRE_SERVER = "168.63.129.16";

/**
 * The URL, parsed, when requests to it may leave: https, no user info, a public host, a port no other protocol owns.
 *
 * The WHATWG parser has by then folded every notation of an IPv4 address (decimal, octal, hex, short, full-width,
 * percent-encoded) to dotted decimal, so fetch must be given the URL returned here. A name is judged by its text alone;
 * what it resolves to is checked by `checkAddress` where a resolver is at hand.
 * @throws EgressError `invalid_url` or `blocked_address`.
 */
export function checkUrl(input: string | URL, rules: AddressRules = {}): URL {
	const url = URL.parse(String(input));
	if (!url) throw new EgressError("invalid_url");
	const isHttp = url.protocol === "http:" && rules.allowLoopback === true;
	if (url.protocol !== "https:" && !isHttp)
		throw new EgressError("invalid_url", "Only https URLs are allowed");
	if (url.username !== "" || url.password !== "")
		throw new EgressError("invalid_url", "A URL must not hold a user name or password");
	checkHost(url.hostname, rules);
	if (BAD_PORTS.has(Number(url.port || 443)))
		throw new EgressError("blocked_address", "The port belongs to another protocol");
	return url;
}

/**
 * Refuses an IP address that is not public unicast, in any notation.
 * @throws EgressError `blocked_address`; text that is no address at all counts as blocked.
 */
export function checkAddress(address: string, rules: AddressRules = {}): void {
	// A zone (`fe80::1%eth0`) picks a way out of the machine, which no public address needs.
	if (!ipaddr.isValid(address) || address.includes("%")) throw new EgressError("blocked_address");
	const ip = ipaddr.parse(address);
	if (ip.range() === "loopback" && rules.allowLoopback === true) return;
	if (!isPublic(ip)) throw new EgressError("blocked_address");
}

/** Whether only a resolver knows where the host of a checked URL is. Localhost is this machine, RFC 6761 section 6.3. */
export const needsResolver = (hostname: string): boolean =>
	!ipaddr.isValid(unbracketed(hostname)) && !isLocalhost(hostname.replace(/\.$/, ""));

const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost");

function checkHost(hostname: string, rules: AddressRules): void {
	const host = unbracketed(hostname).replace(/\.$/, "");
	if (ipaddr.isValid(host)) {
		checkAddress(host, rules);
		return;
	}
	const labels = host.split(".");
	if (host.length > 253 || labels.some((label) => label === "" || label.length > 63))
		throw new EgressError("invalid_url", "The host name is not valid");
	if (isLocalhost(host) && rules.allowLoopback === true) return;
	if (labels.length === 1 || PRIVATE_NAMES.some((suffix) => `.${host}`.endsWith(suffix)))
		throw new EgressError("blocked_address");
}

/**
 * Of IPv6 only global unicast counts. That leaves out every form that carries an IPv4 address for somebody else to unpack
 * (mapped, compatible, translated, NAT64), and ipaddr.js names those within 2000::/3 (6to4, Teredo).
 */
function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
	// The library's types give the range of an ordinary address as one of a closed list that lacks some of its own names.
	if ((ip.range() as string) !== "unicast") return false;
	return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_UNICAST_V6) : ip.toString() !== AZURE_WIRE_SERVER;
}

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
