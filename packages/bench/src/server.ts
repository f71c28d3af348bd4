// The real workers, built as for a deployment, with workerd answering the socket itself: `wrangler dev` would put a proxy,
// a trace collector and a request log between, and measure those.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { run } from "@parley/dev-stack/processes/processes";
import { renderLocalConfigs, root, type Settings, type Worker } from "@parley/dev-stack/settings/configs";
import { freePort } from "@parley/dev-stack/stack";
import { type Bootstrap, createBootstrap } from "@parley/dev-stack/state/bootstrap";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

export type BenchServer = {
	/** The address of each worker that takes requests. */
	urls: Record<Worker | "baseline", string>;
	keys: Bootstrap;
	database: D1Database;
	/** Returns what the agents worker has asked of D1 since the first time this was called. */
	countD1: () => Promise<D1Counts>;
	stop: () => Promise<void>;
};

/** `reads` are the round trips that read rows and write none. */
export type D1Counts = { queries: number; reads: number; rowsRead: number; rowsWritten: number };

/** Entry that counts what its worker asks of D1. */
const COUNTER = join(import.meta.dirname, "baseline/count-d1.mjs");
const BASELINE = join(import.meta.dirname, "baseline/wrangler.json");
const SECRETS = {
	VAULT_KEK: `bench:${Buffer.alloc(32, 7).toString("base64")}`,
	R2_ACCESS_KEY_ID: "bench-access-key",
	R2_SECRET_ACCESS_KEY: "bench-secret-key",
	RATE_LIMIT_SCALE: "1000000",
	EGRESS_ALLOW_LOOPBACK: "true",
};

/** Returns a worker for a binding that the benchmark does not call. */
const standIn = (name: string, entrypoint: string) => ({
	name,
	modules: true,
	compatibilityDate: "2026-09-18",
	script: `import { WorkerEntrypoint } from "cloudflare:workers";
export class ${entrypoint} extends WorkerEntrypoint {}
export default { fetch: () => new Response(null, { status: 404 }) };`,
});

/** The sandbox belongs into a process of its own, which `code.ts` starts; engines that are measured take every file as it is. */
const STAND_INS = [
	standIn("parley-python", "PythonSandbox"),
	standIn("parley-decoder", "Decoder"),
	standIn("parley-mcp-client", "McpClient"),
];

/** Discards the workers' logs, because printing them would cost time. */
const discard = () => {};

type WorkerName = Exclude<Worker, "python" | "decoder" | "mcp-client">;

export async function startBenchServer(settings: Settings = {}): Promise<BenchServer> {
	const dir = mkdtempSync(join(tmpdir(), "parley-bench-"));
	const configs = renderLocalConfigs(join(dir, "config"), { ...SECRETS, ...settings });
	const names: WorkerName[] = ["platform", "agents", "mcp-server", "batch", "transcriber"];
	const urls: Record<string, string> = {};
	const workers: object[] = [...STAND_INS];
	for (const [name, config] of [
		...names.map((name) => [name, configs[name]] as const),
		["baseline", BASELINE] as const,
	]) {
		const port = await freePort();
		urls[name] = `http://127.0.0.1:${port}`;
		const built = build(config, join(dir, "out", name));
		workers.push({
			...(name === "agents" ? withCounter(built) : built),
			unsafeDirectSockets: [{ host: "127.0.0.1", port }],
		});
	}
	const server = new Miniflare({
		...convertV4MiniflareOptions({
			workers,
			cf: false,
			port: 0,
			structuredWorkerdLogs: true,
			handleStructuredLogs: discard,
		} as never),
		resourcePersistencePath: join(dir, "data"),
	} as never);
	await server.ready;
	const database = (await server.getD1Database("DB", "parley-platform")) as unknown as D1Database;
	const keys = await prepare(database);
	return {
		urls: urls as BenchServer["urls"],
		keys,
		database,
		countD1: async () => (await (await fetch(`${urls.agents}/bench/d1`)).json()) as D1Counts,
		stop: async () => {
			await server.dispose();
			rmSync(dir, { recursive: true, force: true });
		},
	};
}

function build(config: string, out: string) {
	run(["wrangler", "deploy", "--dry-run", "--minify", "--outdir", out, "-c", config]);
	const { modulesRules: _, ...options } = unstable_getMiniflareWorkerOptions(config, undefined, {
		remoteBindingsEnabled: false,
	} as never).workerOptions as Record<string, unknown>;
	const { name, main } = unstable_readConfig({ config }, { hideWarnings: true });
	const script = basename(main ?? "").replace(/\.ts$/, ".js");
	return { ...options, name, modules: true, modulesRoot: out, scriptPath: join(out, script) };
}

function withCounter({ scriptPath, modules: _, ...worker }: ReturnType<typeof build>) {
	const counter = readFileSync(COUNTER, "utf8").replaceAll("./worker.js", `./${basename(scriptPath)}`);
	const modules = [
		{ type: "ESModule", path: join(worker.modulesRoot, "count-d1.js"), contents: counter },
		{ type: "ESModule", path: scriptPath, contents: readFileSync(scriptPath, "utf8") },
	];
	return { ...worker, modules };
}

async function prepare(database: D1Database): Promise<Bootstrap> {
	const { readdirSync } = await import("node:fs");
	const folder = join(root, "migrations");
	const { keys, sql } = await createBootstrap("Bench");
	const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
	const migrations = files.sort().map((file) => readFileSync(join(folder, file), "utf8"));
	const statements = migrations.flatMap((text) => text.split("--> statement-breakpoint"));
	for (const statement of [...statements, ...sql.split(";\n")]) {
		if (statement.trim()) await database.prepare(statement).run();
	}
	return keys;
}
