import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeOutFolder } from "./out-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-out-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the folder for transcripts is made with those above it, and may be there already", () => {
	const out = join(folder, "a/b/c");
	makeOutFolder(out);
	makeOutFolder(out);
	expect(statSync(out).isDirectory()).toBe(true);
});

test("a file in the place of the folder, or above it, is named", () => {
	const file = join(folder, "file");
	writeFileSync(file, "text");
	expect(() => makeOutFolder(file)).toThrow(`--out ${file}: not a folder. Nothing was sent`);
	expect(() => makeOutFolder(join(file, "x/y"))).toThrow(`${file} is not a folder. Nothing was sent`);
});

test.runIf(existsSync("/proc"))("a folder that the system refuses is told at once", () => {
	expect(() => makeOutFolder("/proc/nope/x")).toThrow(
		"the folder /proc/nope cannot be made. Nothing was sent",
	);
});
