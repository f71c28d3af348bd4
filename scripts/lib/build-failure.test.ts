import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchBuild } from "./build-failure.ts";
import { sleep } from "./processes.ts";

const FAILURE = '✘ [ERROR] Build failed with 1 error:\n\n  ✘ [ERROR] Expected identifier but found "="\n';

let dir: string;
let log: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "parley-build-"));
	log = join(dir, "workers.log");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("a build that fails is told with what is wrong, though the log does not exist at first", async () => {
	const build = watchBuild(log);
	writeFileSync(log, `A warning before\n${FAILURE}`);
	await expect(build.failed).rejects.toThrow(
		/^The workers do not build:\n✘ .*Build failed with 1 error:\n\n.*Expected identifier but found "="$/,
	);
});

test("what an earlier start wrote into the log is not looked at", async () => {
	writeFileSync(log, FAILURE);
	const build = watchBuild(log);
	appendFileSync(log, "A warning\n");
	expect(await Promise.race([build.failed, sleep(600).then(() => "quiet")])).toBe("quiet");
	build.stop();
});
