// Child processes that never outlive us: each leads its own group, and a watchdog ends all groups when this process ends.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";

const GRACE_MS = 4000;
/** Command that runs another one, whose new files only the user may read. */
const PRIVATELY = ["/bin/sh", "-c", 'umask 077 && exec "$@"', "sh"];

type ProcessOptions = {
	env?: NodeJS.ProcessEnv;
	/** Takes what the program sends over IPC. */
	onMessage?: (message: unknown) => void;
};

export type Processes = {
	/** Starts a program in a group of its own; its output goes to the log file. Only the user may read what it writes. */
	start: (name: string, command: string[], options?: ProcessOptions) => ChildProcess;
	/** Ends every group: SIGTERM, then SIGKILL for what is left. */
	stop: () => Promise<void>;
	/** Ends every group as a crash would. */
	kill: () => Promise<void>;
};

/** @param onExit is called when a program ends by itself, and returns "restart" to have it started again. */
export function superviseProcesses(
	logDir: string,
	onExit: (name: string, code: number | null) => "restart" | "leave",
): Processes {
	const watchdog = spawn(process.execPath, [join(import.meta.dirname, "watchdog.mjs")], {
		stdio: ["pipe", "ignore", "ignore"],
		detached: true,
	});
	watchdog.unref();
	const children: ChildProcess[] = [];
	let stopping = false;

	function start(name: string, command: string[], options: ProcessOptions = {}): ChildProcess {
		const [program = "", ...args] = [...PRIVATELY, ...command];
		const log = openSync(join(logDir, `${name}.log`), "a", 0o600);
		const child = spawn(program, args, {
			stdio: ["ignore", log, log, ...(options.onMessage ? (["ipc"] as const) : [])],
			detached: true,
			env: { ...process.env, ...options.env },
		});
		closeSync(log);
		children.push(child);
		watchdog.stdin?.write(`${child.pid}\n`);
		if (options.onMessage) child.on("message", options.onMessage);
		child.on("exit", async (code) => {
			if (stopping || onExit(name, code) === "leave") return;
			// What the program itself had started may live on, and hold its port.
			await endGroups([child], "SIGKILL");
			if (!stopping) start(name, command, options);
		});
		return child;
	}

	return {
		start,
		async stop() {
			stopping = true;
			await endGroups(children, "SIGTERM");
			await endGroups(children, "SIGKILL");
			watchdog.stdin?.end();
		},
		async kill() {
			stopping = true;
			await endGroups(children, "SIGKILL");
			watchdog.stdin?.end();
		},
	};
}

/** Signals every group and waits for all to be gone, within bounds. */
async function endGroups(leaders: ChildProcess[], signal: NodeJS.Signals): Promise<void> {
	for (const { pid } of leaders) signalGroup(pid, signal);
	const deadline = Date.now() + GRACE_MS;
	while (Date.now() < deadline && leaders.some(({ pid }) => groupLives(pid))) await sleep(25);
}

/** Runs a program to its end. Only the user may read what it writes. @throws with its output when it fails. */
export function run(command: string[], env?: NodeJS.ProcessEnv): string {
	const [program = "", ...args] = [...PRIVATELY, ...command];
	return execFileSync(program, args, { encoding: "utf8", stdio: "pipe", env: { ...process.env, ...env } });
}

/** Runs a program to its end beside other work. @throws with what it wrote to its standard error when it fails. */
export async function runBeside(command: string[], env?: NodeJS.ProcessEnv): Promise<string> {
	const [program = "", ...args] = [...PRIVATELY, ...command];
	const running = promisify(execFile)(program, args, { env: { ...process.env, ...env } });
	const { stdout } = await running.catch(({ stderr }: { stderr: string }) => {
		throw new Error(stripVTControlCharacters(stderr).trim());
	});
	return stdout;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
	try {
		return pid !== undefined && process.kill(-pid, signal);
	} catch {
		return false; // already gone
	}
}

const groupLives = (pid: number | undefined): boolean => signalGroup(pid, 0);
