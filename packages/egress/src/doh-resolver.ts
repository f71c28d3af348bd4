import { type Answer, addressQuery, readAnswer } from "./dns-message.ts";
import { EgressError } from "./egress-error.ts";
import { readCapped } from "./response-body.ts";

/** All addresses of a name; none when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

export type DohOptions = {
	fetch?: typeof globalThis.fetch;
	/** Milliseconds. */
	now?: () => number;
	/** How long to wait for what there is about one name, in milliseconds. 5,000 when absent. */
	patienceMs?: number;
};

const DNS_MESSAGE = "application/dns-message";
/** RFC 8484 section 6. */
const MAX_MESSAGE_BYTES = 65_535;
/** However long the records live: who calls a host ten times a second asks for its name twice a minute. */
const MAX_KEPT_MS = 30_000;
const MAX_KEPT_NAMES = 500;

/**
 * A `resolve` for `guardedFetch`, by DNS over HTTPS (RFC 8484): the IPv4 and IPv6 addresses of a name, or of what it is an
 * alias of. Addresses are kept for as long as their records live, half a minute at most; that there are none is not kept.
 * @param endpoint https, or http on the machine itself.
 * @throws EgressError `resolver_failed` unless both questions are properly answered, and in time.
 */
export function createDohResolver(endpoint: string, options: DohOptions = {}): Resolve {
	const { now = Date.now, patienceMs = 5_000 } = options;
	const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
	const kept = new Map<string, { addresses: string[]; until: number }>();

	async function ask(name: string, type: "A" | "AAAA", signal: AbortSignal): Promise<Answer> {
		const response = await send(endpoint, {
			method: "POST",
			headers: { accept: DNS_MESSAGE, "content-type": DNS_MESSAGE },
			body: addressQuery(name, type),
			redirect: "manual",
			signal,
		});
		const contentType = response.headers.get("content-type");
		if (response.status === 200 && contentType?.toLowerCase().startsWith(DNS_MESSAGE))
			return readAnswer(await readCapped(response, MAX_MESSAGE_BYTES));
		response.body?.cancel().catch(() => undefined);
		throw new Error(`The resolver answered with status ${response.status} and content type ${contentType}`);
	}

	function keep(name: string, addresses: string[], ttlMs: number): void {
		kept.delete(name);
		if (addresses.length === 0) return;
		const [oldest] = kept.keys();
		if (oldest !== undefined && kept.size >= MAX_KEPT_NAMES) kept.delete(oldest);
		kept.set(name, { addresses, until: now() + ttlMs });
	}

	return async (host, signal) => {
		if (!isSafeEndpoint(endpoint)) throw failed("the resolver's address is no https URL");
		const name = host.replace(/\.$/, "");
		const known = kept.get(name);
		if (known && known.until > now()) return known.addresses;
		const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
		try {
			const [v4, v6] = await Promise.all([ask(name, "A", patience), ask(name, "AAAA", patience)]);
			const addresses = [...v4.addresses, ...v6.addresses];
			keep(name, addresses, Math.min(MAX_KEPT_MS, v4.ttlSeconds * 1_000, v6.ttlSeconds * 1_000));
			return addresses;
		} catch (error) {
			throw failed("the resolver did not answer", error);
		}
	};
}

function isSafeEndpoint(endpoint: string): boolean {
	const url = URL.parse(endpoint);
	const isOnThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? "");
	return url?.protocol === "https:" || (url?.protocol === "http:" && isOnThisMachine);
}

const failed = (why: string, cause?: unknown): EgressError =>
	new EgressError("resolver_failed", `The host name could not be checked: ${why}`, cause);
