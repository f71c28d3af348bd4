import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { UploadState } from "@parley/sdk/upload";
import { readSettings } from "./settings.ts";

type UploadMemory = {
	read: () => UploadState | undefined;
	write: (state: UploadState) => void;
	forget: () => void;
};

/**
 * What this machine remembers of the upload of a file, in the user's cache folder. A file that has changed, another service
 * and another key have each a memory of their own.
 */
export function rememberUpload(path: string, env: NodeJS.ProcessEnv = process.env): UploadMemory {
	const { batchUrl, apiKey } = readSettings(env);
	const { size, mtimeMs } = statSync(path);
	const identity = [batchUrl, apiKey, realpathSync(path), size, mtimeMs].join("\n");
	const folder = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parley", "uploads");
	const file = join(folder, `${createHash("sha256").update(identity).digest("hex")}.json`);
	return {
		read: () => {
			try {
				return JSON.parse(readFileSync(file, "utf8"));
			} catch {
				// None yet, or one that was cut off: the upload begins anew.
				return undefined;
			}
		},
		write: (state) => {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
		},
		forget: () => rmSync(file, { force: true }),
	};
}
