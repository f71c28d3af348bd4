import type { CapabilityStatus, ConnectError } from "@parley/contracts/agents/mcp-servers";
import { isRetryableStatus } from "@parley/egress/retry";
import type { Outcome } from "./breaker.ts";

/** Returns the status after a failed attempt: `unavailable` when the server cannot be reached or used now, `invalid` when its answers break the protocol. */
export function statusAfter(error: ConnectError): Exclude<CapabilityStatus, "unknown" | "healthy"> {
	switch (error.code) {
		case "circuit_open":
			return "circuit_open";
		case "protocol_error":
		case "unsupported_contract":
			return "invalid";
		case "http_error":
			return isRetryableStatus(error.http_status ?? 0) || isServerFault(error) ? "unavailable" : "invalid";
		default:
			return "unavailable";
	}
}

/** Returns the breaker's outcome of a failed attempt. A refusal of credentials or a rate limit counts as an answer. */
export function outcomeOf(error: ConnectError): Outcome {
	switch (error.code) {
		case "dns_failed":
		case "connect_failed":
		case "tls_failed":
		case "timeout":
			return "transport_failure";
		case "http_error":
			return isServerFault(error) ? "transport_failure" : "answered";
		case "missing_vault_entry":
		case "blocked_address":
		case "circuit_open":
			return "not_tried";
		default:
			return "answered";
	}
}

const isServerFault = ({ http_status }: ConnectError): boolean => (http_status ?? 0) >= 500;
