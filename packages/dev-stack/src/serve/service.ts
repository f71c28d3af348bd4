// Processes that prepare and serve workers: how they are started, what they are told, and what they report.
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { type Processes, runBeside } from "../processes/processes.ts";

/** Workers that share one workerd. */
export type Service = {
	port: number;
	/** Folder of what lasts. */
	data: string;
	/** Folder in which services find each other's workers. */
	registry: string;
	/** The folder of each worker's configuration, and that of its modules. */
	workers: { config: string; modules: string }[];
	v8Flags?: string[];
	/** The workers that have a scheduled handler, and how often it runs. */
	crons?: { workers: string[]; everyMs: number };
};

export type Preparation = {
	/** Configurations of workers. The simulator's options for each are written beside it. */
	configs: string[];
	/** The database to bring up to date, if it is not. */
	database?: {
		/** Configuration of a worker that binds it, and no other. */
		config: string;
		/** Folder of what lasts. */
		data: string;
		/** Files of SQL to run after the migrations. */
		sql: string[];
	};
};

/** Sent once the workers answer, and again each time their runtime has crashed and was started again. */
export type ServiceReport = "ready" | "crashed";

/** The simulator's options for a worker, beside its configuration. */
export const OPTIONS_FILE = "options.json";

/** Does what the workers need before they are served, in a process that ends and frees the memory that wrangler takes. */
export async function prepareWorkers(preparation: Preparation): Promise<void> {
	await runBeside([
		process.execPath,
		join(import.meta.dirname, "prepare-workers.ts"),
		JSON.stringify(preparation),
	]);
}

/**
 * Starts a process that serves workers.
 * @param onCrash is called when the runtime of the workers has crashed and was started again.
 * @returns the process, and when its workers answer.
 */
export function startService(
	processes: Processes,
	name: string,
	service: Service,
	onCrash: () => void = () => {},
): { process: ChildProcess; ready: Promise<void> } {
	const { promise: ready, resolve } = Promise.withResolvers<void>();
	const command = [process.execPath, join(import.meta.dirname, "serve-workers.ts"), JSON.stringify(service)];
	const onMessage = (report: unknown) => ((report as ServiceReport) === "crashed" ? onCrash() : resolve());
	return { process: processes.start(name, command, { onMessage }), ready };
}
