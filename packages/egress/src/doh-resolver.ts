import { EgressError } from "./egress-error.ts";
import { readCapped } from "./response-body.ts";

export type DohOptions = {
	/** Speaks the JSON form of DNS over HTTPS. Cloudflare's when absent. */
	endpoint?: string;
	fetch?: typeof globalThis.fetch;
};

const A = 1;
const AAAA = 28;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * A `resolve` for `guardedFetch`: all IPv4 and IPv6 addresses of a name by DNS over HTTPS; empty when it has none. Costs two
 * requests a name and hop, so it is for deployments that can reach private networks.
 * @throws EgressError `dns_failed` when the resolver does not answer properly.
 */
export function createDohResolver(options: DohOptions = {}): (host: string) => Promise<string[]> {
	const { endpoint = "https://cloudflare-dns.com/dns-query" } = options;
	const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
	const query = async (name: string, type: number): Promise<string[]> => {
		const url = new URL(endpoint);
		url.searchParams.set("name", name);
		url.searchParams.set("type", String(type));
		const response = await send(url.href, { headers: { accept: "application/dns-json" } });
		if (!response.ok) throw new EgressError("dns_failed", undefined, `resolver status ${response.status}`);
		const bytes = await readCapped(response, MAX_ANSWER_BYTES);
		return addressesOf(JSON.parse(new TextDecoder().decode(bytes)), type);
	};
	return async (host) => {
		try {
			return (await Promise.all([query(host, A), query(host, AAAA)])).flat();
		} catch (error) {
			throw error instanceof EgressError ? error : new EgressError("dns_failed", undefined, error);
		}
	};
}

/** The answer section also holds the aliases on the way, of other types. */
function addressesOf(answer: { Answer?: { type: number; data: string }[] }, type: number): string[] {
	return (answer.Answer ?? []).filter((record) => record.type === type).map((record) => record.data);
}
