import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "./exit-codes.ts";

export type Settings = { baseUrl: string; batchUrl: string; apiKey: string };

/**
 * Reads the addresses and the key: `PARLEY_URL` (and `PARLEY_BATCH_URL`) with `PARLEY_API_KEY`, otherwise the `dev.json` that
 * `npm start` wrote into `PARLEY_STATE` or `.parley`.
 * @throws UsageError naming the setting that is missing or is not an address.
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Settings {
	const { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_BATCH_URL: batchUrl } = env;
	for (const [name, value] of Object.entries({ PARLEY_URL: baseUrl, PARLEY_BATCH_URL: batchUrl })) {
		if (value && !/^https?:/.test(URL.parse(value)?.protocol ?? ""))
			throw new UsageError(`${name} must be an http(s) address, not ${value}`);
	}
	if (baseUrl && apiKey) return { baseUrl, batchUrl: batchUrl || baseUrl, apiKey };
	const path = join(resolve(cwd, env.PARLEY_STATE || ".parley"), "dev.json");
	if (!existsSync(path)) {
		throw new UsageError(`Set PARLEY_URL and PARLEY_API_KEY, or run \`npm start\` (looked for ${path})`);
	}
	const dev = JSON.parse(readFileSync(path, "utf8"));
	return {
		baseUrl: baseUrl || dev.base_url,
		batchUrl: batchUrl || baseUrl || dev.batch_url,
		apiKey: apiKey || dev.api_key,
	};
}
