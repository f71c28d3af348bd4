import type { ConnectError, ConnectResult } from "@parley/contracts/agents/mcp-servers";
import { NO_CHANGES } from "../catalog/catalog-diff.ts";
import { ConnectFailure, toConnectError } from "../session/connect-failure.ts";

/**
 * Returns the result of a manual connect that comes too soon after the previous one while the circuit is open.
 * @param last error of the previous attempt
 */
export function toCircuitOpenResult(retryAt: number, now: number, last: ConnectError | null): ConnectResult {
	const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
	const reason = `The circuit is open after repeated failures, and Parley tried the server less than 5 seconds ago${last ? `: ${last.message}` : ""}`;
	const advice = `Connect again in ${seconds} second${seconds === 1 ? "" : "s"}.`;
	return {
		...{ status: "failed", latency_ms: 0, server_info: null, protocol_version: null, era: null },
		capabilities: { tools: [], truncated: false, pages_fetched: 0 },
		...{ changes: NO_CHANGES, events: [] },
		error: toConnectError(new ConnectFailure("circuit_open", reason, { advice }), "connect"),
	};
}
