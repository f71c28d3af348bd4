// The state of a stack holds keys and secrets, so that nobody but the user may read it.
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Creates a folder that only the user may open, or closes one that is there. */
export function makePrivateFolder(path: string): void {
	mkdirSync(path, { recursive: true, mode: 0o700 });
	closeToOthers(path);
}

/** Takes every right of other users from what lies at a path, if anything does, and below it. Links are not followed. */
export function closeTree(path: string): void {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	if (!stats || stats.isSymbolicLink()) return;
	closeToOthers(path);
	if (stats.isDirectory()) for (const name of readdirSync(path)) closeTree(join(path, name));
}

function closeToOthers(path: string): void {
	const { mode } = statSync(path);
	if (mode & 0o077) chmodSync(path, mode & 0o700);
}
