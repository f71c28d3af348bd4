import { EgressError, type EgressErrorCode } from "./egress-error.ts";
import type { Probe } from "./socket-probe.ts";

/** Texts by which Node (`cause.code`) and workerd (message) report each failure before a response. */
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
 * Classifies an error that fetch has thrown before any answer. For a refused connection workerd says "Network connection
 * lost", which after an answer means a broken one.
 */
export function toConnectError(error: unknown): EgressError {
	const failure = toEgressError(error);
	const isUntold =
		failure.code === "network" && /Network connection lost|internal error/.test(describe(error));
	return isUntold ? new EgressError("connect_failed", undefined, error) : failure;
}

/** Means to tell failures apart that workerd reports alike. */
export type Diagnosis = {
	url: URL;
	/** Absent where no connection can be opened but by fetch. */
	probe?: Probe | undefined;
	/** Only DNS knows the host, and nobody has asked it yet. */
	isUnresolved: boolean;
	signal: AbortSignal;
};

/**
 * Classifies an error like `toConnectError`, and finds out what lies behind the one sentence that workerd has for a name
 * that does not resolve and for a failed TLS handshake: "internal error". It opens a connection, first without TLS.
 */
export async function diagnoseConnectError(error: unknown, diagnosis: Diagnosis): Promise<EgressError> {
	const failure = toConnectError(error);
	const { url, probe, isUnresolved, signal } = diagnosis;
	if (!probe || failure.code !== "connect_failed" || !/internal error/.test(describe(error))) return failure;
	const plain = await probe(url, { tls: false, signal });
	if (plain === "failed" && isUnresolved) return new EgressError("dns_failed", undefined, error);
	if (plain !== "opened" || url.protocol !== "https:") return failure;
	const secure = await probe(url, { tls: true, signal });
	return secure === "failed" ? new EgressError("tls_failed", undefined, error) : failure;
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
