import type { ConnectError } from "@parley/contracts/agents/mcp-servers";
import type { McpCallOutcome } from "@parley/contracts/internal/mcp-client-rpc";
import type { Outcome } from "../refresh/breaker.ts";

/**
 * Returns the answer to a call while the circuit is open.
 * @param last error of the last attempt to connect, which says what is wrong with the server
 */
export function circuitOpenAnswer(retryAt: number, now: number, last: ConnectError | null): McpCallOutcome {
	const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
	const diagnosis = last ? ` Last failure: ${last.message}` : "";
	const unit = seconds === 1 ? "second" : "seconds";
	return {
		kind: "circuit_open",
		message: `The MCP server failed repeatedly, so Parley does not call it for another ${seconds} ${unit}.${diagnosis}`,
	};
}

/** Returns how the circuit breaker counts a call. A tool that is slow says nothing about its server. */
export function outcomeOfCall(answer: McpCallOutcome): Outcome {
	if (answer.kind !== "failed") return "answered";
	switch (answer.code) {
		case "dns_failed":
		case "connect_failed":
		case "tls_failed":
			return "transport_failure";
		case "missing_vault_entry":
		case "blocked_address":
		case "circuit_open":
		case "cancelled":
		case "timeout":
			return "not_tried";
		default:
			return "answered";
	}
}
