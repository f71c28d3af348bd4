import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { UploadState } from "@parley/sdk/upload";
import { readSettings } from "./settings.ts";

export type Memory<T> = { read: () => T | undefined; write: (value: T) => void; forget: () => void };

/** What this machine remembers of the upload of a file. */
export const rememberUpload = (path: string, env?: NodeJS.ProcessEnv): Memory<UploadState> =>
	remember("uploads", path, [], env);

/** The job that this machine has made of a file with this configuration. */
export const rememberJob = (
	path: string,
	config: object,
	env?: NodeJS.ProcessEnv,
): Memory<{ job_id: string }> => remember("jobs", path, [JSON.stringify(config)], env);

/**
 * A memory in the user's cache folder. A file that has changed, another service and another key have each a memory of their
 * own.
 */
function remember<T>(
	kind: string,
	path: string,
	more: string[],
	env: NodeJS.ProcessEnv = process.env,
): Memory<T> {
	const { batchUrl, apiKey } = readSettings(env);
	const { size, mtimeMs } = statSync(path);
	const identity = [batchUrl, apiKey, realpathSync(path), size, mtimeMs, ...more].join("\n");
	const folder = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "parley", kind);
	const file = join(folder, `${createHash("sha256").update(identity).digest("hex")}.json`);
	return {
		read: () => {
			try {
				return JSON.parse(readFileSync(file, "utf8"));
			} catch {
				// None yet, or one that was cut off: all begins anew.
				return undefined;
			}
		},
		write: (value) => {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
		},
		forget: () => rmSync(file, { force: true }),
	};
}
