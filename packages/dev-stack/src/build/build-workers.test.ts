import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ALL_WORKERS } from "../settings/configs.ts";
import { buildWorkers } from "./build-workers.ts";

const BUILDS_WITHIN_MS = 300_000;

const dir = mkdtempSync(join(tmpdir(), "parley-build-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test(
	"every worker is built once, and taken as it is the next time",
	async () => {
		const built = await buildWorkers();
		expect(Object.keys(built).sort()).toEqual([...ALL_WORKERS].sort());
		for (const folder of Object.values(built)) expect(readdirSync(folder)).toContain("worker.js");
		expect(await buildWorkers()).toEqual(built);
	},
	BUILDS_WITHIN_MS,
);

test(
	"a worker that does not build is named, with what is wrong",
	async () => {
		const entry = join(dir, "broken.ts");
		writeFileSync(entry, "export default = 1;\n");
		await expect(buildWorkers({ decoder: entry })).rejects.toThrow(
			/^The worker decoder does not build:\n.*Expected identifier but found "="|^The worker decoder does not build:\n.*Unexpected "="/s,
		);
	},
	BUILDS_WITHIN_MS,
);
