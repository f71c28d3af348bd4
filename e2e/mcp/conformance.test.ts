import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker } from "./workerd.ts";

const MCP_CLIENT = join(import.meta.dirname, "..", "..", "workers", "mcp-client");
const DRIVER = join(MCP_CLIENT, "test", "conformance");
const SUITE = join(MCP_CLIENT, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** The scenarios that are known to fail, see the file. */
const EXPECTED =
	readFileSync(join(DRIVER, "expected-failures.yaml"), "utf8").match(/(?<=^ {2}- )\S+$/gm) ?? [];

let client: Awaited<ReturnType<typeof startWorker>>;

beforeAll(async () => {
	client = await startWorker(join(DRIVER, "wrangler.toml"));
});
afterAll(() => client.stop());

test.for([
	["2025-11-25", 18],
	["2026-07-28", 32],
] as const)(
	"our client in workerd passes the public suite for revision %s, all %i scenarios that it requires",
	{ timeout: 240_000 },
	async ([revision, required]) => {
		const { code, text } = await runSuite(revision);
		const scenarios = [...text.matchAll(/^([✓✗]) (\S+): \d+ passed/gm)];
		const failed = scenarios.filter(([, mark]) => mark === "✗").map(([, , name]) => name);
		// An expected failure that passes has to leave the list, which so can only shrink.
		expect(failed.sort(), text).toEqual([...EXPECTED].sort());
		expect(scenarios.length - failed.length).toBeGreaterThanOrEqual(required);
		expect(code, text).toBe(0);
	},
);

async function runSuite(revision: string): Promise<{ code: number | null; text: string }> {
	const results = mkdtempSync(join(tmpdir(), "parley-conformance-"));
	const command = `${process.execPath} ${join(DRIVER, "client.ts")}`;
	const args = ["client", "--command", command, "--requirements", revision, "--output-dir", results];
	const child = spawn(process.execPath, [SUITE, ...args], {
		env: { ...process.env, PARLEY_MCP_CLIENT: client.url, PARLEY_MCP_VERSION: revision },
	});
	let text = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			text += chunk;
		});
	const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
	rmSync(results, { recursive: true, force: true });
	return { code, text };
}
