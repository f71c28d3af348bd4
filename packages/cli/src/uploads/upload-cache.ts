import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { UploadState } from "@parley/sdk/upload";
import { readSettings } from "../settings.ts";

export type CacheEntry<T> = { read: () => T | undefined; write: (value: T) => void; delete: () => void };

/** Returns the cache entry for the unfinished upload of a file. */
export const cachedUpload = (path: string, env?: NodeJS.ProcessEnv): CacheEntry<UploadState> =>
	cacheEntry("uploads", path, [], env);

/** Returns the cache entry for the job that this machine made of a file with a configuration. */
export const cachedJob = (
	path: string,
	config: object,
	env?: NodeJS.ProcessEnv,
): CacheEntry<{ job_id: string }> => cacheEntry("jobs", path, [JSON.stringify(config)], env);

/**
 * Returns an entry in the user's cache folder. The service, the key, the file's path, size and modification time are part of
 * its name, so that a changed file has no entry.
 */
function cacheEntry<T>(
	kind: string,
	path: string,
	more: string[],
	env: NodeJS.ProcessEnv = process.env,
): CacheEntry<T> {
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
				// A missing or truncated entry counts as none.
				return undefined;
			}
		},
		write: (value) => {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
		},
		delete: () => rmSync(file, { force: true }),
	};
}
