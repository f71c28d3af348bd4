// What a process that serves workers is told, and what it reports.

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
	/** The worker that has a scheduled handler, and how often it runs. */
	cron?: { worker: string; everyMs: number };
};

/** Sent once the workers answer, and again each time their runtime has crashed and was started again. */
export type ServiceReport = "ready" | "crashed";

/** The simulator's options for a worker, beside its configuration. */
export const OPTIONS_FILE = "options.json";
