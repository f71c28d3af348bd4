import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const run = (...args: string[]) =>
	spawnSync(process.execPath, [join(import.meta.dirname, "run.mjs"), ...args], { encoding: "utf8" });

test("asked for help it lists every command with what it does", () => {
	const { status, stdout } = run("--help");
	expect(status).toBe(0);
	expect(stdout).toMatch(/^ {2}dev +everything running, a demo organisation, and what to try first\.$/m);
	expect(stdout).toMatch(/^ {2}demo-code +\S/m);
	expect(stdout).not.toContain("vitest");
});

test("a command that there is not is named, beside those that there are", () => {
	const { status, stderr } = run("dance");
	expect(status).toBe(1);
	expect(stderr).toMatch(/^There is no command dance\.\n.*\n {2}dev /s);
	expect(stderr).not.toContain("    at ");
});
