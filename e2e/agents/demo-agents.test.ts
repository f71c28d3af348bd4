import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

/** Runs the demo against the shared stack, as `npm run demo:agents` does against a running one. */
async function runDemo(): Promise<{ code: number | null; output: string }> {
	const state = mkdtempSync(join(tmpdir(), "parley-demo-"));
	const keys = inject("keys");
	const dev = { agents_url: inject("baseUrl"), api_key: keys.api_key };
	writeFileSync(join(state, "dev.json"), JSON.stringify(dev), { mode: 0o600 });
	const demo = spawn(process.execPath, [join(import.meta.dirname, "../../scripts/demo-agents.ts")], {
		env: { ...process.env, PARLEY_STATE: state },
	});
	let output = "";
	for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (text) => (output += text));
	const code = await new Promise<number | null>((ended) => demo.on("close", ended));
	rmSync(state, { recursive: true, force: true });
	return { code, output };
}

test("a tool goes from its secret to an accepted upgrade, and no answer shows the secret", async () => {
	const { code, output } = await runDemo();
	expect(code, output).toBe(0);
	expect(output).toContain("14. Agent, tool and secret are deleted");
	expect(output).toContain("are in none of them");
}, 60_000);
