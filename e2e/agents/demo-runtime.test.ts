import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

/** Runs the demo against the shared stack, as `npm run demo:runtime` does against a running one. */
async function runDemo(...args: string[]): Promise<string> {
	const state = mkdtempSync(join(tmpdir(), "parley-demo-"));
	const dev = { agents_url: inject("baseUrl"), api_key: inject("keys").api_key };
	writeFileSync(join(state, "dev.json"), JSON.stringify(dev), { mode: 0o600 });
	const script = join(import.meta.dirname, "../../scripts/demo-runtime.ts");
	const { LLM_BASE_URL: _, ...environment } = process.env;
	const demo = spawn(process.execPath, [script, ...args], {
		env: { ...environment, PARLEY_STATE: state, NO_COLOR: "1" },
	});
	let output = "";
	for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (text) => (output += text));
	const code = await new Promise<number | null>((ended) => demo.on("close", ended));
	rmSync(state, { recursive: true, force: true });
	expect(code, output).toBe(0);
	return output;
}

test("a call keeps its version through an upgrade and ends with a directive, and the next call gets the new version", async () => {
	const output = await runDemo();
	expect(output).toMatch(/The call {2}agent version 1\b/);
	expect(output).toMatch(/team +publishes find_order version 2 and accepts the upgrade: agent version 2/);
	expect(output).toMatch(/runtime +stays on agent version 1 until this call ends/);
	expect(output).toMatch(/agent +Gladly: order 4711 comes on Tuesday\. Is there anything else\?/);
	expect(output).toMatch(/runtime +hangs up: the directive was end_call/);
	expect(output).toMatch(/The call from \+14155550123 is completed/);
	expect(output).toMatch(/The next call {2}agent version 2\b/);
	expect(output).toMatch(/find_order {2}v2 {2}phone: \+14155550123/);
	expect(output).toMatch(/comes on Tuesday between nine and eleven/);
	expect(output).toContain("token is in none of");
}, 60_000);

test("a caller who speaks is understood by the live speech endpoint", async () => {
	const output = await runDemo("--speech");
	expect(output).toMatch(/caller +good morning i want to know where my order is/);
	expect(output).toMatch(/runtime +hangs up: the directive was end_call/);
}, 60_000);
