// The configuration of each worker for one deployment: what is committed, with that deployment's settings put in.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";

export type Worker = "platform" | "agents" | "python" | "batch" | "transcriber";
export type Settings = Record<string, string>;

type Config = {
	name: string;
	main: string;
	vars?: Settings;
	secrets?: { required?: string[] };
	assets?: { directory: string };
	d1_databases?: { database_id: string; migrations_dir?: string }[];
	r2_buckets?: { local_dev?: object }[];
};

export const root = resolve(import.meta.dirname, "../..");
export const configPath = (worker: Worker): string =>
	join(root, worker === "platform" ? "wrangler.toml" : `workers/${worker}/wrangler.toml`);

/** The workers of one process in local development; python runs in its own, since a busy tool blocks its thread. */
export const MAIN_WORKERS: Worker[] = ["platform", "agents", "batch", "transcriber"];

const ALL_WORKERS = ([...MAIN_WORKERS, "python"] as Worker[]).filter((worker) =>
	existsSync(configPath(worker)),
);

/**
 * Writes a configuration per worker into `outDir`, for the local simulator.
 * @param settings values for the vars and secrets that the workers declare; a name that a worker does not declare is left out there.
 * @returns the path of each configuration.
 */
export function renderLocalConfigs(outDir: string, settings: Settings): Record<Worker, string> {
	const s3 = { accessKeyId: settings.R2_ACCESS_KEY_ID, secretAccessKey: settings.R2_SECRET_ACCESS_KEY };
	const entries = ALL_WORKERS.map((worker) => {
		const config = readConfig(worker);
		const declared = declaredNames(config);
		const given = Object.entries(settings).filter(([name]) => declared.includes(name));
		config.vars = { ...config.vars, ...Object.fromEntries(given) };
		delete config.secrets;
		for (const bucket of config.r2_buckets ?? []) bucket.local_dev = { experimental_s3_credentials: s3 };
		return [worker, writeConfig(join(outDir, worker), config)] as const;
	});
	return Object.fromEntries(entries) as Record<Worker, string>;
}

/** The settings that the environment gives, of those that any worker declares. */
export function environmentSettings(): Settings {
	const declared = ALL_WORKERS.flatMap((worker) => declaredNames(readConfig(worker)));
	return Object.fromEntries(
		declared.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
	);
}

const declaredNames = (config: Config): string[] => [
	...Object.keys(config.vars ?? {}),
	...(config.secrets?.required ?? []),
];

/** A worker's committed configuration with its paths made absolute, so that it may be written elsewhere. */
export function readConfig(worker: Worker): Config {
	const path = configPath(worker);
	const config = parse(readFileSync(path, "utf8")) as unknown as Config;
	const absolute = (relative: string) => resolve(dirname(path), relative);
	config.main = absolute(config.main);
	if (config.assets) config.assets.directory = absolute(config.assets.directory);
	for (const database of config.d1_databases ?? []) {
		if (database.migrations_dir) database.migrations_dir = absolute(database.migrations_dir);
	}
	return config;
}

export function writeConfig(dir: string, config: object): string {
	mkdirSync(dir, { recursive: true });
	const path = join(dir, "wrangler.json");
	writeFileSync(path, JSON.stringify(config, null, "\t"));
	return path;
}
