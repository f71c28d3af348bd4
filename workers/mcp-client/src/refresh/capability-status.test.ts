import { type ConnectError, ConnectErrorCode } from "@parley/contracts/agents/mcp-servers";
import { expect, test } from "vitest";
import { outcomeOf, statusAfter } from "./capability-status.ts";

const error = (code: ConnectErrorCode, http_status: number | null = null): ConnectError => ({
	...{ code, http_status, message: "", stage: "initialize", retryable: false },
});

test("every error code maps to a status and a breaker outcome", () => {
	const table = Object.fromEntries(
		ConnectErrorCode.options.map((code) => [code, [statusAfter(error(code)), outcomeOf(error(code))]]),
	);
	expect(table).toEqual({
		dns_failed: ["unavailable", "transport_failure"],
		connect_failed: ["unavailable", "transport_failure"],
		tls_failed: ["unavailable", "transport_failure"],
		timeout: ["unavailable", "transport_failure"],
		http_error: ["invalid", "answered"],
		unauthorized: ["unavailable", "answered"],
		protocol_error: ["invalid", "answered"],
		unsupported_contract: ["invalid", "answered"],
		missing_vault_entry: ["unavailable", "not_tried"],
		blocked_address: ["unavailable", "not_tried"],
		circuit_open: ["circuit_open", "not_tried"],
	});
});

test.for([
	[429, "unavailable", "answered"],
	[408, "unavailable", "answered"],
	[500, "unavailable", "transport_failure"],
	[501, "unavailable", "transport_failure"],
	[503, "unavailable", "transport_failure"],
	[400, "invalid", "answered"],
	[404, "invalid", "answered"],
	[405, "invalid", "answered"],
] as const)("HTTP %i: the server is %s, for the breaker it has %s", ([status, expected, outcome]) => {
	expect([statusAfter(error("http_error", status)), outcomeOf(error("http_error", status))]).toEqual([
		expected,
		outcome,
	]);
});
