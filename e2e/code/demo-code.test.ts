import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("a Python tool goes from its source to a version that outlives it, and no answer shows its secret", () => {
	const demo = join(import.meta.dirname, "../../scripts/demo-code.ts");
	const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { encoding: "utf8" });
	expect(status, stdout + stderr).toBe(0);
	expect(stdout).toContain("10. The next run is none the worse for it");
	expect(stdout).toContain("no answer shows it");
}, 180_000);
