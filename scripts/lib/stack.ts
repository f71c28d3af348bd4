// The whole of Parley on one machine: the speech engine, the workers, the database, and a key to use them.
import { createHash, randomBytes, randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ensureRuntime } from "../../workers/python/build/build-runtime.mjs";
import { type Bootstrap, createBootstrap, writeSql } from "./bootstrap.ts";
import { watchBuild } from "./build-failure.ts";
import { MAIN_WORKERS, renderLocalConfigs, root, type Settings, type Worker } from "./configs.ts";
import { checkEngineSettings, offlineEngine } from "./engine-settings.ts";
import { closeTree, makePrivateFolder } from "./private-files.ts";
import { type Processes, run, sleep, superviseProcesses } from "./processes.ts";

const READY_WITHIN_MS = 90_000;
const wrangler = [process.execPath, join(root, "node_modules/wrangler/wrangler-dist/cli.js")];

/** Names in the state folder. */
const STATE_NAMES = "config data dev.json keys.json lock logs migrated registry sandbox secrets.json".split(
	" ",
);

/**
 * Turns off what `wrangler dev` adds for whoever reaches its port: a browser of every organisation's rows and objects, and a
 * store of traces, which holds the URLs of outgoing requests, secrets included.
 */
const SIMULATOR = { X_LOCAL_EXPLORER: "false", X_LOCAL_OBSERVABILITY: "false" };

export type StackOptions = {
	/** Folder of everything that lasts. */
	state: string;
	port: number;
	/** Settings that differ from the local defaults; with SPEECH_ENGINES among them the offline engine stays off. */
	settings?: Settings;
	/** How often the sweeper runs, 60 s when absent, as in a deployment. */
	sweepEveryMs?: number;
	/** Modules that take the place of a worker's own, as tests need them. */
	entries?: Partial<Record<Worker, string>>;
	onExit?: (name: string, code: number | null) => void;
};

export type Stack = {
	baseUrl: string;
	keys: Bootstrap;
	/** Codes of the speech models, the default first. */
	models: string[];
	stop: () => Promise<void>;
	/** Ends everything at once and without warning, as a power cut would. */
	kill: () => Promise<void>;
};

/** Starts everything and resolves when it answers. A second start on the same state keeps keys and data. */
export async function startStack({
	state,
	port,
	settings = {},
	sweepEveryMs = 60_000,
	entries = {},
	onExit,
}: StackOptions): Promise<Stack> {
	makePrivateFolder(state);
	const unlock = lock(state);
	cleanEarlierState(state);
	const logs = join(state, "logs");
	makePrivateFolder(logs);
	await assertPortFree(port);
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => {});
	let ready = false;
	const processes = superviseProcesses(logs, (name, code) => {
		if (ready) onExit?.(name, code);
		else failed.reject(new Error(`${name} ended with code ${code}:\n${tail(join(logs, `${name}.log`))}`));
	});
	const stop = async () => {
		clearInterval(minute);
		await processes.stop();
		unlock();
	};
	const kill = async () => {
		clearInterval(minute);
		await processes.kill();
		unlock();
	};
	let minute: NodeJS.Timeout | undefined;
	const builds: ReturnType<typeof watchBuild>[] = [];
	try {
		const ports = {
			front: port,
			inspector: await freePort(),
			sandbox: await freePort(),
			sandboxInspector: await freePort(),
			speech: await freePort(),
		};
		const engine = settings.SPEECH_ENGINES
			? {}
			: await Promise.race([localEngine(processes, logs, ports.speech), failed.promise]);
		const own = { EGRESS_OWN_PORTS: listPorts(settings.EGRESS_OWN_PORTS, Object.values(ports)) };
		const all = { ...localSettings(state), ...engine, ...settings, ...own };
		const models = checkEngineSettings(all, { ai: false });
		const configs = renderLocalConfigs(join(state, "config"), all, entries);
		migrate(state, configs.platform);
		const keys = await bootstrap(state, configs.platform);
		// What a killed stack left there would send calls to processes that are gone.
		rmSync(join(state, "registry"), { recursive: true, force: true });
		const env = { ...SIMULATOR, WRANGLER_REGISTRY_PATH: join(state, "registry") };
		await ensureRuntime();
		builds.push(...["python", "workers"].map((name) => watchBuild(join(logs, `${name}.log`))));
		const sandboxFlags = devFlags(join(state, "sandbox"), ports.sandbox, ports.sandboxInspector);
		processes.start("python", [...wrangler, "dev", "-c", configs.python, ...sandboxFlags], env);
		const main = MAIN_WORKERS.flatMap((worker) => ["-c", configs[worker]]);
		const flags = devFlags(join(state, "data"), ports.front, ports.inspector);
		processes.start("workers", [...wrangler, "dev", ...main, ...flags], env);
		const baseUrl = `http://127.0.0.1:${port}`;
		// The sandbox takes no requests, so that it is up when it finds nothing.
		const sandbox = untilAnswered(`http://127.0.0.1:${ports.sandbox}/`, "the sandbox", 404);
		const answering = Promise.all([sandbox, untilReady(baseUrl)]);
		await Promise.race([answering, failed.promise, ...builds.map((build) => build.failed)]);
		ready = true;
		await sweep(baseUrl);
		minute = setInterval(() => void sweep(baseUrl).catch(report), sweepEveryMs);
		minute.unref();
		return { baseUrl, keys, models, stop, kill };
	} catch (error) {
		await stop();
		throw error;
	} finally {
		for (const build of builds) build.stop();
	}
}

/**
 * @param data a folder of its own for each process: two that open the same databases at once lock each other out.
 * @param inspectorPort is always given: two that start at once would both find the same default port free, and one would fail.
 */
const devFlags = (data: string, port: number, inspectorPort: number): string[] => [
	`--inspector-port=${inspectorPort}`,
	"--local",
	"--ip=127.0.0.1",
	`--port=${port}`,
	`--persist-to=${data}`,
	"--show-interactive-dev-session=false",
	"--log-level=warn",
];

/** The offline engine in a process of its own, and the settings that make it the default model. */
async function localEngine(processes: Processes, logs: string, port: number): Promise<Settings> {
	const main = join(root, "packages/speech-server/src/main.ts");
	processes.start("speech", [process.execPath, main, "--port", String(port), "--host", "127.0.0.1"]);
	const url = `http://127.0.0.1:${port}`;
	await untilAnswered(`${url}/health`, `the speech server (see ${logs}/speech.log)`);
	return offlineEngine(url);
}

/** The ports that the environment names, and those of the stack itself. */
const listPorts = (named: string | undefined, ports: number[]): string =>
	[named, ...ports].filter(Boolean).join(",");

/** Settings of a laptop: loopback allowed, limits wide, secrets made once and kept in the state. */
const localSettings = (state: string): Settings => ({
	EGRESS_ALLOW_LOOPBACK: "true",
	RATE_LIMIT_SCALE: "100",
	R2_S3_ENDPOINT: "local",
	// The offline engine has a thread a core.
	CHUNKS_IN_FLIGHT: String(availableParallelism()),
	...keptSecrets(state),
});

function keptSecrets(state: string): Settings {
	const path = join(state, "secrets.json");
	if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
	const secrets = {
		VAULT_KEK: `local:${randomBytes(32).toString("base64")}`,
		R2_ACCESS_KEY_ID: randomBytes(16).toString("hex"),
		R2_SECRET_ACCESS_KEY: randomBytes(32).toString("hex"),
	};
	writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
	return secrets;
}

function migrate(state: string, config: string): void {
	const hash = createHash("sha256");
	const folder = join(root, "migrations");
	for (const file of readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort()) {
		hash.update(readFileSync(join(folder, file)));
	}
	const stamp = join(state, "migrated");
	const wanted = hash.digest("hex");
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	run([
		...wrangler,
		"d1",
		"migrations",
		"apply",
		"DB",
		"--local",
		"-c",
		config,
		`--persist-to=${join(state, "data")}`,
	]);
	writeFileSync(stamp, wanted, { mode: 0o600 });
}

async function bootstrap(state: string, config: string): Promise<Bootstrap> {
	const path = join(state, "keys.json");
	if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
	const { keys, sql } = await createBootstrap("Demo organisation");
	const file = writeSql(state, sql);
	run([
		...wrangler,
		"d1",
		"execute",
		"DB",
		"--local",
		"-c",
		config,
		`--persist-to=${join(state, "data")}`,
		"--file",
		file,
	]);
	rmSync(file);
	writeFileSync(path, JSON.stringify(keys), { mode: 0o600 });
	return keys;
}

const report = (error: Error) => console.error(error.message);

/** Crons do not fire by themselves in local development. */
async function sweep(baseUrl: string): Promise<void> {
	const response = await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`);
	if (!response.ok) throw new Error(`The sweeper answered HTTP ${response.status}`);
}

const untilReady = (baseUrl: string): Promise<void> => untilAnswered(`${baseUrl}/health`, "the workers");

async function untilAnswered(url: string, what: string, status = 200): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline) {
		const response = await fetch(url).catch(() => undefined);
		if (response?.status === status) return;
		await sleep(100);
	}
	throw new Error(`${what} did not answer at ${url} within ${READY_WITHIN_MS / 1000} s`);
}

/** Earlier versions let every user of the machine read the state, and stored traces, which hold secrets. */
function cleanEarlierState(state: string): void {
	for (const name of STATE_NAMES) closeTree(join(state, name));
	for (const name of ["data", "sandbox"])
		rmSync(join(state, name, "v3/observability"), { recursive: true, force: true });
}

/** One start at a time on a state. @throws when a living process holds it. */
function lock(state: string): () => void {
	const path = join(state, "lock");
	const holder = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
	if (holder && holder !== process.pid && lives(holder)) {
		throw new Error(
			`Parley already runs on ${state} (process ${holder}). Set PARLEY_STATE and PORT to run another.`,
		);
	}
	writeFileSync(path, String(process.pid), { mode: 0o600 });
	return () => rmSync(path, { force: true });
}

function lives(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function assertPortFree(port: number): Promise<void> {
	await listen(port).catch(() => {
		throw new Error(`Port ${port} is in use. Set PORT to another one.`);
	});
}

/** One below those that the system gives to outgoing connections, so that none of these takes it before it is used. */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < 100; tries++) {
		const port = randomInt(20_000, 32_000);
		const isFree = await listen(port).then(
			() => true,
			() => false,
		);
		if (isFree) return port;
	}
	throw new Error("No free port was found between 20000 and 32000.");
}

function listen(port: number): Promise<void> {
	return new Promise((done, fail) => {
		const server = createServer();
		server.once("error", fail);
		server.listen(port, "127.0.0.1", () => server.close(() => done()));
	});
}

const tail = (path: string): string => readFileSync(path, "utf8").split("\n").slice(-20).join("\n");
