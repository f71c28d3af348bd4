import { EgressError, type EgressErrorCode } from "./egress-error.ts";

/** What Node puts into `cause.code`, and what workerd says in words, for each way to fail before an answer. */
const SIGNS: [EgressErrorCode, RegExp][] = [
	["dns_failed", /\b(ENOTFOUND|EAI_\w+|ENODATA)\b|DNS lookup failed/i],
	[
		"tls_failed",
		/\b(ERR_(TLS|SSL)_\w+|CERT_\w+|\w+_CERT(_\w+)?|UNABLE_TO_\w+|EPROTO)\b|certificate|\bTLS\b|\bSSL\b/i,
	],
	[
		"connect_failed",
		/\b(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b|connection refused|connect\(\)/i,
	],
];

/** An error that fetch or a body read has thrown, as one of the closed codes. */
export function toEgressError(error: unknown): EgressError {
	if (error instanceof EgressError) return error;
	const text = describe(error);
	const code = SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? "network";
	return new EgressError(code, undefined, error);
}

/**
 * The same for an error before any answer. workerd tells a refused connection, an unknown name and a bad certificate apart
 * only in its own log: to the caller each is one of two sentences, which elsewhere mean a broken connection.
 */
export function toConnectError(error: unknown): EgressError {
	const failure = toEgressError(error);
	const isUntold =
		failure.code === "network" && /Network connection lost|internal error/.test(describe(error));
	return isUntold ? new EgressError("connect_failed", undefined, error) : failure;
}

/**
 * On Cloudflare's edge a host that cannot be reached is no exception: fetch answers with one of the edge's own statuses,
 * which no origin uses.
 */
const EDGE_STATUSES: ReadonlyMap<number, EgressErrorCode> = new Map([
	[520, "network"],
	[521, "connect_failed"],
	[522, "timeout"],
	[523, "connect_failed"],
	[524, "timeout"],
	[525, "tls_failed"],
	[526, "tls_failed"],
	[530, "dns_failed"],
]);

export const edgeFailure = (status: number): EgressError | undefined => {
	const code = EDGE_STATUSES.get(status);
	return code && new EgressError(code, undefined, `edge status ${status}`);
};

function describe(error: unknown): string {
	const parts: string[] = [];
	for (let at = error; at instanceof Error && parts.length < 16; at = at.cause) {
		if ("code" in at) parts.push(String(at.code));
		parts.push(at.message);
		if (at instanceof AggregateError) parts.push(...at.errors.map(String));
	}
	return parts.join(" ");
}
