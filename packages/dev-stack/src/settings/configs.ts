// The configuration of each worker for one deployment: what is committed, with that deployment's settings put in.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";

export type Worker =
	| "platform"
	| "agents"
	| "mcp-client"
	| "mcp-server"
	| "python"
	| "batch"
	| "decoder"
	| "transcriber";
export type Settings = Record<string, string>;

type Config = {
	name: string;
	main: string;
	vars?: Settings;
	secrets?: { required?: string[] };
	ai?: { binding: string };
	assets?: { directory: string };
	services?: { service: string }[];
	durable_objects?: { bindings: { script_name?: string }[] };
	d1_databases?: { database_id: string; migrations_dir?: string }[];
	r2_buckets?: { bucket_name: string; local_dev?: object }[];
	queues?: { producers?: { queue: string }[]; consumers?: { queue: string }[] };
};

export const root = resolve(import.meta.dirname, "../../../..");
export const configPath = (worker: Worker): string =>
	join(root, worker === "platform" ? "wrangler.toml" : `workers/${worker}/wrangler.toml`);

/** The workers of one process in local development; python runs in its own, since a busy tool blocks its thread. */
export const MAIN_WORKERS: Worker[] = [
	"platform",
	"agents",
	"mcp-client",
	"mcp-server",
	"batch",
	"decoder",
	"transcriber",
];

/** Every worker, each after those that it binds. */
export const ALL_WORKERS = inBindingOrder(
	([...MAIN_WORKERS, "python"] as Worker[]).filter((worker) => existsSync(configPath(worker))),
);

/**
 * Writes a configuration per worker into `outDir`, for the local simulator.
 * @param settings values for the vars and secrets that the workers declare; a name that a worker does not declare is left out there.
 * @param entries modules that take the place of a worker's own.
 * @param assets folder of the platform worker's static files; without it, those of the API reference alone.
 * @returns the path of each configuration.
 */
export function renderLocalConfigs(
	outDir: string,
	settings: Settings,
	entries: Partial<Record<Worker, string>> = {},
	assets?: string,
): Record<Worker, string> {
	const s3 = { accessKeyId: settings.R2_ACCESS_KEY_ID, secretAccessKey: settings.R2_SECRET_ACCESS_KEY };
	const rendered = ALL_WORKERS.map((worker) => {
		const config = readConfig(worker);
		config.main = entries[worker] ?? config.main;
		if (config.assets && assets) config.assets.directory = assets;
		config.vars = { ...config.vars, ...pick(settings, declaredNames(config, settings)) };
		delete config.secrets;
		for (const bucket of config.r2_buckets ?? []) bucket.local_dev = { experimental_s3_credentials: s3 };
		return [worker, writeConfig(join(outDir, worker), config)] as const;
	});
	return Object.fromEntries(rendered) as Record<Worker, string>;
}

/**
 * Writes a configuration per worker into `outDir`, for a deployment to an account.
 * @returns the path of each configuration, and the buckets and queues that they name.
 */
export function renderCloudConfigs(
	outDir: string,
	{
		databaseId,
		accountId,
		settings,
		assets,
	}: { databaseId: string; accountId: string; settings: Settings; assets: string },
): { paths: Record<Worker, string>; buckets: string[]; queues: string[] } {
	const configs = ALL_WORKERS.map((worker) => {
		const config = readConfig(worker);
		const s3 = { R2_S3_ENDPOINT: `https://${accountId}.r2.cloudflarestorage.com` };
		config.vars = { ...config.vars, ...pick({ ...s3, ...settings }, Object.keys(config.vars ?? {})) };
		for (const database of config.d1_databases ?? []) database.database_id = databaseId;
		if (config.assets) config.assets.directory = assets;
		// Without an account there is no AI binding, so the committed configurations have none.
		if (ENGINE_SETTINGS.some((name) => config.vars?.[name]?.includes("workers-ai")))
			config.ai = { binding: "AI" };
		return [worker, config] as const;
	});
	const unique = (names: (string | undefined)[]) => [...new Set(names)].filter((name) => name !== undefined);
	return {
		paths: Object.fromEntries(
			configs.map(([worker, config]) => [worker, writeConfig(join(outDir, worker), config)]),
		) as Record<Worker, string>,
		buckets: unique(
			configs.flatMap(([, { r2_buckets }]) => (r2_buckets ?? []).map((bucket) => bucket.bucket_name)),
		),
		queues: unique(
			configs.flatMap(([, { queues }]) =>
				[...(queues?.producers ?? []), ...(queues?.consumers ?? [])].map((q) => q.queue),
			),
		),
	};
}

/** The names of a worker's secrets: those that it declares, and the keys of the engines that it calls. */
export function secretNames(worker: Worker, settings: Settings): string[] {
	const config = readConfig(worker);
	return [
		...(config.secrets?.required ?? []),
		...optionalSecrets(config, settings),
		...engineKeyNames(config, settings),
	];
}

/** Settings that only `npm start` itself may give: they open the console to whoever sits at the machine. */
const LOCAL_SIGN_IN = ["CONSOLE_LOCAL_SIGN_IN", "CONSOLE_LOCAL_PORT"];

/** The settings that the environment gives, of those that any worker declares or an engine names as its key. */
export function environmentSettings(): Settings {
	const given = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !LOCAL_SIGN_IN.includes(name)),
	) as Settings;
	return pick(
		given,
		ALL_WORKERS.flatMap((worker) => declaredNames(readConfig(worker), given)),
	);
}

function pick(values: Record<string, string | undefined>, names: string[]): Settings {
	return Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
}

function declaredNames(config: Config, settings: Settings): string[] {
	return [
		...Object.keys(config.vars ?? {}),
		...(config.secrets?.required ?? []),
		...optionalSecrets(config, settings),
		...engineKeyNames(config, settings),
	];
}

/** The secret of the console's OpenID Connect client, where the settings give one: a public client has none. */
const optionalSecrets = (config: Config, settings: Settings): string[] =>
	config.vars?.OIDC_CLIENT_ID !== undefined && settings.OIDC_CLIENT_SECRET ? ["OIDC_CLIENT_SECRET"] : [];

const ENGINE_SETTINGS = ["SPEECH_ENGINES", "VOICE_ENGINES", "LANGUAGE_ENGINES"] as const;

/** The keys of the engines that a worker calls, by the names that the settings of those engines give. */
const engineKeyNames = (config: Config, settings: Settings): string[] =>
	ENGINE_SETTINGS.filter((name) => config.vars?.[name] !== undefined).flatMap((name) =>
		[...(settings[name] ?? "").matchAll(/"api_key_secret"\s*:\s*"(\w+)"/g)].flatMap(([, key]) => key ?? []),
	);

function inBindingOrder(workers: Worker[]): Worker[] {
	const named = new Map(workers.map((worker) => [readConfig(worker).name, worker]));
	const ordered = new Set<Worker>();
	const visit = (worker: Worker, path: Worker[]) => {
		if (path.includes(worker)) throw new Error(`Workers bind each other in a circle: ${path.join(", ")}`);
		const { services = [], durable_objects } = readConfig(worker);
		const bound = [
			...services.map((s) => s.service),
			...(durable_objects?.bindings ?? []).map((b) => b.script_name),
		];
		for (const name of bound) {
			const other = named.get(name ?? "");
			if (other && other !== worker) visit(other, [...path, worker]);
		}
		ordered.add(worker);
	};
	for (const worker of workers) visit(worker, []);
	return [...ordered];
}

/** A worker's committed configuration with its paths made absolute, so that it may be written elsewhere. */
function readConfig(worker: Worker): Config {
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

function writeConfig(dir: string, config: object): string {
	mkdirSync(dir, { recursive: true, mode: 0o700 });
	const path = join(dir, "wrangler.json");
	writeFileSync(path, JSON.stringify(config, null, "\t"), { mode: 0o600 });
	return path;
}
