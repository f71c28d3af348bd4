// A child process of the stack: built workers in one workerd, which is started again when it crashes, and their crons.
// Takes a `Service` as JSON in its first argument, and reports to its parent over IPC.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { STACK_STARTED } from "@parley/contracts/internal/crons";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from "miniflare";
import { OPTIONS_FILE, type Service, type ServiceReport } from "./service.ts";

const MODULE_TYPES = [
	[".js", "ESModule"],
	[".wasm", "CompiledWasm"],
	[".bin", "Data"],
	[".txt", "Text"],
] as const;
const MINUTELY = "* * * * *";

const service: Service = JSON.parse(process.argv[2] ?? "");
if (service.v8Flags) process.env.MINIFLARE_WORKERD_V8_FLAGS = service.v8Flags.join(" ");
const workers = service.workers.map(toWorkerOptions);
// Where a killed process of ours was registered, nobody would look for this one until that entry is a minute and a half old.
for (const { name } of workers) rmSync(join(service.registry, name), { force: true });
const options: V4MiniflareOptions = {
	workers,
	host: "127.0.0.1",
	port: service.port,
	cf: false,
	log: new Log(LogLevel.WARN),
	logRequests: false,
	handleStructuredLogs: ({ timestamp, level, message }) =>
		console.log(`${new Date(timestamp).toISOString()} ${level} ${message}`),
	unsafeDevRegistryPath: service.registry,
	unsafeHandleRuntimeRestart: () => void recover().catch(fail),
};
const miniflare = new Miniflare({
	...convertV4MiniflareOptions(options),
	resourcePersistencePath: join(service.data, "v3"),
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
process.on("disconnect", () => void stop());
await miniflare.ready.catch(fail);
await fire(STACK_STARTED);
report("ready");
if (service.crons) setInterval(() => void fire(MINUTELY), service.crons.everyMs);
setInterval(() => void miniflare.ready.catch(fail), 1000);

async function recover(): Promise<void> {
	report("crashed");
	await miniflare.ready;
	await fire(STACK_STARTED);
}

/** Runs the scheduled handlers. What goes wrong is logged: the next run may do better. */
async function fire(cron: string): Promise<void> {
	await Promise.all((service.crons?.workers ?? []).map((name) => fireAt(name, cron)));
}

async function fireAt(name: string, cron: string): Promise<void> {
	try {
		const worker = await miniflare.getWorker(name);
		const { outcome } = await worker.scheduled({ cron, scheduledTime: new Date() });
		if (outcome !== "ok") throw new Error(`it ended with ${outcome}`);
	} catch (error) {
		console.error(`The cron of ${name} failed:`, error);
	}
}

function toWorkerOptions({ config, modules }: Service["workers"][number]) {
	const options = JSON.parse(readFileSync(join(config, OPTIONS_FILE), "utf8"));
	// The first module is the entry.
	const sources = MODULE_TYPES.flatMap(([ending, type]) =>
		readdirSync(modules).flatMap((name) =>
			name.endsWith(ending) ? [{ type, path: join(modules, name) }] : [],
		),
	);
	return { ...options, modulesRoot: modules, modules: sources };
}

function report(message: ServiceReport): void {
	process.send?.(message);
}

async function stop(): Promise<void> {
	await miniflare.dispose();
	process.exit(0);
}

function fail(error: unknown): never {
	console.error(error);
	process.exit(1);
}
