import { join } from "node:path";
import type { Loopback } from "@parley/testing/loopback";
import { startCallable } from "@parley/testing/mcp-peers/callable";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { attachMcpTools, createAgent } from "../clients/agent.ts";
import { runConformance } from "./run-conformance.ts";
import { FIXTURE_TOOLS } from "./server-conformance/fixture-tools.ts";
import { startAuthorizingProxy } from "./server-conformance/proxy.ts";

const FOLDER = join(import.meta.dirname, "server-conformance");

let peer: Loopback;
let proxy: Loopback;

beforeAll(async () => {
	peer = await startCallable(FIXTURE_TOOLS);
	const { refs } = await attachMcpTools(
		peer.url,
		FIXTURE_TOOLS.map(({ name }) => name),
	);
	const agent = await createAgent({ mcp_refs: refs });
	const endpoint = `${inject("baseUrl")}/v1/agents/${agent.id}/mcp`;
	proxy = await startAuthorizingProxy(endpoint, inject("keys").api_key);
});
afterAll(async () => {
	await proxy?.stop();
	await peer?.stop();
});

test.for([
	["2025-06-18", ["--suite", "all", "--spec-version", "2025-06-18"]],
	["2025-11-25", ["--requirements", "2025-11-25"]],
	["2026-07-28", ["--requirements", "2026-07-28"]],
] as const)(
	"an agent's endpoint passes what revision %s requires of a server with tools alone",
	{ timeout: 240_000 },
	async ([revision, selection]) => {
		// The suite fails for an expected failure that passes, too.
		const expected = join(FOLDER, `expected-failures-${revision}.yaml`);
		const { code, text } = await runConformance([
			...["server", "--url", `${proxy.url}/mcp`, ...selection, "--expected-failures", expected],
		]);
		expect(text).toContain("tools-call-simple-text");
		expect(code, text).toBe(0);
	},
);
