import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeTree, makePrivateFolder } from "./private-files.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "parley-private-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

function createFile(path: string, mode: number): string {
	writeFileSync(path, "");
	chmodSync(path, mode);
	return path;
}

test("a tree loses the rights of other users, and its owner keeps theirs", () => {
	const inner = join(folder, "inner");
	mkdirSync(inner);
	chmodSync(inner, 0o755);
	const files = [createFile(join(inner, "data"), 0o664), createFile(join(inner, "program"), 0o755)];
	closeTree(folder);
	expect([inner, ...files].map(modeOf)).toEqual([0o700, 0o600, 0o700]);
});

test("a link's target outside the tree is left alone", () => {
	const tree = join(folder, "tree");
	mkdirSync(tree);
	const outside = createFile(join(folder, "outside"), 0o644);
	symlinkSync(outside, join(tree, "link"));
	closeTree(tree);
	expect(modeOf(outside)).toBe(0o644);
});

test("a path with nothing at it is no fault", () => {
	expect(() => closeTree(join(folder, "nothing"))).not.toThrow();
});

test("a private folder is made, and one that is there is closed", () => {
	const path = join(folder, "a", "b");
	makePrivateFolder(path);
	expect(modeOf(path)).toBe(0o700);
	chmodSync(path, 0o755);
	makePrivateFolder(path);
	expect(modeOf(path)).toBe(0o700);
});
