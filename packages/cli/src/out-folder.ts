import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes the folder that transcripts go into, one level at a time: Node's recursive `mkdir` never ends where the system refuses a
 * folder as if its parent were missing, as below /proc.
 * @throws Error saying why there can be none.
 */
export function makeOutFolder(out: string): void {
	const fault = (text: string) => new Error(`--out ${out}: ${text}. Nothing was sent`);
	const missing: string[] = [];
	let parent = resolve(out);
	try {
		for (; !statSync(parent, { throwIfNoEntry: false }); parent = dirname(parent)) missing.unshift(parent);
	} catch {
		throw fault(`${parent} cannot be looked at`);
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
