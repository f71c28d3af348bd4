import type { CapabilityStatus, ConnectError } from "@parley/contracts/agents/mcp-servers";
import { isRetryableStatus } from "@parley/egress/retry";
import type { Outcome } from "./breaker.ts";

/** The status of a server after a failed attempt: it cannot be used now, or what it says cannot be used. */
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

/** What the breaker learns from a failed attempt. A refusal, of credentials or of pace, shows that the server is there. */
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
