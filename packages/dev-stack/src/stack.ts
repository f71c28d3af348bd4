// The whole of Parley on one machine: the speech engine, the workers, the database, and a key to use them.
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { buildConsole } from "./build/build-console.ts";
import { buildWorkers } from "./build/build-workers.ts";
import { createCrashLimit } from "./processes/crash-limit.ts";
import { type Processes, sleep, superviseProcesses } from "./processes/processes.ts";
import { type Service, startService } from "./serve/service.ts";
import { MAIN_WORKERS, renderLocalConfigs, root, type Settings, type Worker } from "./settings/configs.ts";
import { checkEngineSettings, offlineEngine } from "./settings/engine-settings.ts";
import type { Bootstrap } from "./state/bootstrap.ts";
import { cleanEarlierState, keptSecrets, lock, prepareState } from "./state/local-state.ts";
import { makePrivateFolder } from "./state/private-files.ts";

const READY_WITHIN_MS = 90_000;
/**
 * Makes workerd collect garbage early. Small JavaScript objects hold much native memory, of which V8 knows nothing: with its own
 * limits it waits until the process has grown to more than a gigabyte.
 */
const SMALL_HEAPS = ["--initial-heap-size=8", "--max-semi-space-size=2"];

export type StackOptions = {
	/** Folder of everything that lasts. */
	state: string;
	port: number;
	/** Settings that differ from the local defaults; with SPEECH_ENGINES among them the offline engine stays off. */
	settings?: Settings;
	/** Interval of the sweeper; 60 s when absent, as in a deployment. */
	sweepEveryMs?: number;
	/** Modules that take the place of a worker's own, as tests need them. */
	entries?: Partial<Record<Worker, string>>;
	/** SQL that runs at the first start, after the migrations, as for further organisations. */
	firstSql?: string;
	/** Called when a process has crashed and is started again. */
	onRestart?: (name: string, log: string) => void;
	/** Called when a process has crashed too often. The caller stops the stack. */
	onFailure?: (error: Error) => void;
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
	firstSql,
	onRestart,
	onFailure,
}: StackOptions): Promise<Stack> {
	makePrivateFolder(state);
	const unlock = lock(state);
	cleanEarlierState(state);
	const logs = join(state, "logs");
	makePrivateFolder(logs);
	await assertPortFree(port);
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => {});
	const isCrashing = createCrashLimit();
	const logOf = (name: string) => join(logs, `${name}.log`);
	let ready = false;
	const endCrashed = (name: string): "restart" | "leave" => {
		if (!isCrashing(name)) {
			onRestart?.(name, logOf(name));
			return "restart";
		}
		const error = new Error(`${name} crashed too often within a minute. Its log is ${logOf(name)}`);
		if (ready) onFailure?.(error);
		else failed.reject(error);
		return "leave";
	};
	const processes = superviseProcesses(logs, (name, code) => {
		if (ready) return endCrashed(name);
		failed.reject(new Error(`${name} ended with code ${code}:\n${tail(logOf(name))}`));
		return "leave";
	});
	const stop = async () => {
		await processes.stop();
		unlock();
	};
	const kill = async () => {
		await processes.kill();
		unlock();
	};
	const serve = (name: string, service: Service) =>
		startService(processes, name, service, () => endCrashed(name)).ready;
	try {
		const ports = { front: port, sandbox: await freePort(), speech: await freePort() };
		const [engine, engineAnswers] = settings.SPEECH_ENGINES
			? [{}]
			: startLocalEngine(processes, ports.speech, logOf("speech"));
		const own = {
			EGRESS_OWN_PORTS: listPorts(settings.EGRESS_OWN_PORTS, Object.values(ports)),
			CONSOLE_LOCAL_PORT: String(port),
		};
		const baseUrl = `http://127.0.0.1:${port}`;
		const all = { ...localSettings(state), CONSOLE_ORIGIN: baseUrl, ...engine, ...settings, ...own };
		const models = checkEngineSettings(all, { ai: false });
		const assets = await Promise.race([buildConsole(), failed.promise]);
		const configs = renderLocalConfigs(join(state, "config"), all, entries, assets);
		const preparing = Promise.all([
			buildWorkers(entries),
			prepareState(state, configs, firstSql),
			engineAnswers,
		]);
		const [modules, keys] = await Promise.race([preparing, failed.promise]);
		const serviceOf = (workers: Worker[], data: string, servicePort: number): Service => ({
			port: servicePort,
			data: join(state, data),
			registry: join(state, "registry"),
			workers: workers.map((worker) => ({ config: dirname(configs[worker]), modules: modules[worker] })),
		});
		const answering = Promise.all([
			// Two processes that open the same databases at once lock each other out: each has a folder of its own.
			serve("python", serviceOf(["python"], "sandbox", ports.sandbox)),
			serve("workers", {
				...serviceOf(MAIN_WORKERS, "data", port),
				v8Flags: SMALL_HEAPS,
				crons: {
					workers: ["parley-transcriber", "parley-mcp-client", "parley-agents"],
					everyMs: sweepEveryMs,
				},
			}),
		]);
		await Promise.race([answering, failed.promise]);
		await Promise.race([untilAnswered(`${baseUrl}/health`, "the workers"), failed.promise]);
		ready = true;
		return { baseUrl, keys, models, stop, kill };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts the offline engine. @returns the settings that make it the default model, and when it answers. */
function startLocalEngine(processes: Processes, port: number, log: string): [Settings, Promise<void>] {
	const main = join(root, "packages/speech-server/src/main.ts");
	processes.start("speech", [process.execPath, main, "--port", String(port), "--host", "127.0.0.1"]);
	const url = `http://127.0.0.1:${port}`;
	return [offlineEngine(url), untilAnswered(`${url}/health`, `the speech server (see ${log})`)];
}

/** Lists the ports that the environment names, and those of the stack itself. */
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

async function untilAnswered(url: string, what: string): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline) {
		const response = await fetch(url).catch(() => undefined);
		if (response?.ok) return;
		await sleep(100);
	}
	throw new Error(`${what} did not answer at ${url} within ${READY_WITHIN_MS / 1000} s`);
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
