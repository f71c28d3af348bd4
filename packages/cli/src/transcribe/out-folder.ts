import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "../exit-codes.ts";

/**
 * Makes the folder for transcripts, one level at a time. Node's recursive `mkdir` never returns where the system reports a
 * refused folder as a missing parent, as below /proc.
 * @throws UsageError saying why the folder cannot be used.
 */
export function makeOutFolder(out: string): void {
	const fault = (text: string) => new UsageError(`--out ${out}: ${text}. Nothing was sent`);
	const missing: string[] = [];
	let parent = resolve(out);
	try {
		for (; !statSync(parent, { throwIfNoEntry: false }); parent = dirname(parent)) missing.unshift(parent);
	} catch {
		throw fault(`${parent} cannot be read`);
	}
	if (!statSync(parent).isDirectory())
		throw fault(missing.length > 0 ? `${parent} is not a folder` : "not a folder");
	for (const path of missing) {
		try {
			mkdirSync(path);
		} catch {
			throw fault(`the folder ${path} cannot be made`);
		}
	}
	try {
		accessSync(out, constants.W_OK | constants.X_OK);
	} catch {
		throw fault("the folder cannot be written to");
	}
}
