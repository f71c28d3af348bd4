import type { ConnectError, ConnectErrorCode, ConnectStage } from "@parley/contracts/agents/mcp-servers";
import type { EgressError, EgressErrorCode } from "@parley/egress/egress-error";
import { isRetryableStatus } from "@parley/egress/retry";

export type FailureDetails = {
	httpStatus?: number;
	/** Time that the server asked to wait. */
	retryAfterMs?: number;
	/** Stage of the failure, when it differs from the stage of the attempt. */
	stage?: ConnectStage;
	/** Advice for the reader that replaces the code's own. */
	advice?: string;
};

/** Reports why a connection failed. `message` may quote the server, so it is scrubbed before it is shown. */
export class ConnectFailure extends Error {
	override readonly name = "ConnectFailure";
	readonly code: ConnectErrorCode;
	readonly details: FailureDetails;

	constructor(code: ConnectErrorCode, message: string, details: FailureDetails = {}) {
		super(message);
		this.code = code;
		this.details = details;
	}
}

/** Advice appended to the message, for the person who reads the record. */
const ADVICE: Record<ConnectErrorCode, string> = {
	dns_failed: "Check the host name in url_template.",
	connect_failed: "Check the port, that the server runs, and that it can be reached from where Parley runs.",
	tls_failed:
		"Check that the port speaks TLS, and that the certificate is valid, comes from a public authority and names this host.",
	timeout: "Check that the server answers quickly, then connect again.",
	http_error: "Check url_template and the server's own log.",
	unauthorized: "Check auth and headers, and the value of the secrets they name.",
	protocol_error: "Check that url_template leads to an MCP endpoint and that transport is the one it speaks.",
	unsupported_contract: "The server must be changed before it can be used.",
	missing_vault_entry: "Create the vault entry, or change the server to use another one.",
	blocked_address: "Use a public https address.",
	circuit_open: "Connect again in a few seconds.",
};

/** Builds the wire form of a failure, with its advice. */
export function toConnectError(failure: ConnectFailure, stage: ConnectStage): ConnectError {
	const { httpStatus = null, advice = ADVICE[failure.code] } = failure.details;
	return {
		code: failure.code,
		message: `${withoutFullStop(failure.message)}. ${advice}`,
		stage: failure.details.stage ?? stage,
		http_status: httpStatus,
		retryable: isRetryable(failure.code, httpStatus),
	};
}

/** Removes trailing full stops and spaces. A regular expression would take quadratic time on a million full stops. */
function withoutFullStop(text: string): string {
	let end = text.length;
	while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

function isRetryable(code: ConnectErrorCode, httpStatus: number | null): boolean {
	if (code === "http_error") return isRetryableStatus(httpStatus ?? 0);
	return ["dns_failed", "connect_failed", "timeout", "circuit_open"].includes(code);
}

const CODE_BY_EGRESS_ERROR: Record<EgressErrorCode, ConnectErrorCode> = {
	invalid_url: "blocked_address",
	invalid_request: "protocol_error",
	blocked_address: "blocked_address",
	dns_failed: "dns_failed",
	resolver_failed: "dns_failed",
	connect_failed: "connect_failed",
	tls_failed: "tls_failed",
	timeout: "timeout",
	too_many_redirects: "http_error",
	body_too_large: "unsupported_contract",
	encoded_body: "protocol_error",
	network: "connect_failed",
};

/**
 * Converts an error of the guarded fetch.
 * @param options.isRedirected true when the failed request followed a redirect, so that the server was reached
 */
export function fromEgressError(error: EgressError, { isRedirected = false } = {}): ConnectFailure {
	const code = CODE_BY_EGRESS_ERROR[error.code];
	if (code === "blocked_address") {
		const reason = isRedirected ? `The server redirects elsewhere: ${error.message}` : error.message;
		return new ConnectFailure(code, reason, { stage: isRedirected ? "connect" : "resolve" });
	}
	if (error.code === "resolver_failed")
		return new ConnectFailure(code, error.message, { stage: "resolve", advice: "Connect again later." });
	if (code === "dns_failed") return new ConnectFailure(code, error.message, { stage: "resolve" });
	return new ConnectFailure(code, error.message);
}

/** Returns true when the connection to the server failed, rather than the server's answer. */
export const isConnectionFailure = ({ code }: ConnectFailure): boolean =>
	code === "connect_failed" || code === "tls_failed";
