// Resident memory of the processes that this one has started, from /proc.
import { readdirSync, readFileSync } from "node:fs";

export type ProcessMemory = { name: string; megabytes: number };

type Process = { pid: number; parent: number; command: string };

/** Every descendant of this process, the largest first; none elsewhere than on Linux. */
export function processMemory(): ProcessMemory[] {
	const all = process.platform === "linux" ? readProcesses() : [];
	const ours = new Set([process.pid]);
	for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
	return all
		.filter(({ pid }) => ours.has(pid) && pid !== process.pid)
		.map(({ pid, parent, command }) => ({
			name: nameOf(command, all.find((other) => other.pid === parent)?.command ?? ""),
			megabytes: residentMegabytes(pid),
		}))
		.sort((a, b) => b.megabytes - a.megabytes);
}

function readProcesses(): Process[] {
	const pids = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number);
	return pids
		.sort((a, b) => a - b)
		.map((pid) => ({
			pid,
			parent: Number(/\(.*\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0),
			command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " "),
		}));
}

function nameOf(command: string, parent: string): string {
	const served = /"data":"[^"]*\/(data|sandbox)"/.exec(`${command} ${parent}`)?.[1];
	const program = /workerd|speech-server|watchdog/.exec(command)?.[0] ?? "node";
	if (served === undefined) return program;
	return `${served === "data" ? "workers" : "sandbox"} ${program}`;
}

const residentMegabytes = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return ""; // it has ended
	}
}
