import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";

/** Starts `peers.ts` beside the tests; it ends with them, however they end. */
export default async function setup(project: TestProject): Promise<() => void> {
	const child = spawn(process.execPath, [join(import.meta.dirname, "peers.ts")], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	for await (const line of createInterface(child.stdout)) {
		const { mcpPeers, mcpTlsPeers } = JSON.parse(line) as { mcpPeers: string; mcpTlsPeers: string };
		project.provide("mcpPeers", mcpPeers);
		project.provide("mcpTlsPeers", mcpTlsPeers);
		return () => child.stdin.end();
	}
	throw new Error("The MCP peers did not start");
}
