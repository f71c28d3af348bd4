import type { ConnectResult } from "@parley/contracts/mcp-servers";
import { NO_CHANGES } from "../catalog-diff.ts";
import { ConnectFailure, toConnectError } from "./connect-failure.ts";

/** The result of an attempt that the breaker did not let through. */
export function circuitOpen(retryAt: number, now: number): ConnectResult {
	const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
	const reason = `Repeated failures: the server is left alone for another ${seconds} seconds`;
	return {
		...{ status: "failed", latency_ms: 0, server_info: null, protocol_version: null, era: null },
		capabilities: { tools: [], truncated: false, pages_fetched: 0 },
		...{ changes: NO_CHANGES, events: [] },
		error: toConnectError(new ConnectFailure("circuit_open", reason), "connect"),
	};
}
