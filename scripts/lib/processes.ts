// Child processes that never outlive us: each leads its own group, and a warden ends all groups when we are gone.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";

const GRACE_MS = 4000;
/** Runs a program whose new files only the user may read. */
const PRIVATELY = ["/bin/sh", "-c", 'umask 077 && exec "$@"', "sh"];

export type Processes = {
	/** Starts a program in a group of its own; its output goes to the log file. Only the user may read what it writes. */
	start: (name: string, command: string[], env?: NodeJS.ProcessEnv) => ChildProcess;
	/** Ends every group: SIGTERM, then SIGKILL for what is left. */
	stop: () => Promise<void>;
	/** Ends every group as a crash would. */
	kill: () => Promise<void>;
};

export function superviseProcesses(
	logDir: string,
	onExit: (name: string, code: number | null) => void,
): Processes {
	const warden = spawn(process.execPath, [join(import.meta.dirname, "warden.mjs")], {
		stdio: ["pipe", "ignore", "ignore"],
		detached: true,
	});
	warden.unref();
	const children: ChildProcess[] = [];
	let stopping = false;

	return {
		start(name, command, env) {
			const [program = "", ...args] = [...PRIVATELY, ...command];
			const log = openSync(join(logDir, `${name}.log`), "a", 0o600);
			const stdio: ["ignore", number, number] = ["ignore", log, log];
			const child = spawn(program, args, { stdio, detached: true, env: { ...process.env, ...env } });
			children.push(child);
			warden.stdin?.write(`${child.pid}\n`);
			child.on("exit", (code) => !stopping && onExit(name, code));
			return child;
		},
		async stop() {
			stopping = true;
			await endGroups(children, "SIGTERM");
			await endGroups(children, "SIGKILL");
			warden.stdin?.end();
		},
		async kill() {
			stopping = true;
			await endGroups(children, "SIGKILL");
			warden.stdin?.end();
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

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
	try {
		return pid !== undefined && process.kill(-pid, signal);
	} catch {
		return false; // already gone
	}
}

const groupLives = (pid: number | undefined): boolean => signalGroup(pid, 0);
