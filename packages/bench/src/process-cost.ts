// What the runtime's process has used, from /proc.
import { readdirSync, readFileSync } from "node:fs";

export type ProcessCost = { cpuSeconds: number; peakMegabytes: number };

const TICKS_PER_SECOND = 100;

/** Processor time and highest memory of the workerd processes that this process has started; zero elsewhere than on Linux. */
export function runtimeCost(): ProcessCost {
	const cost = { cpuSeconds: 0, peakMegabytes: 0 };
	for (const pid of ownRuntimes()) {
		const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
		cost.cpuSeconds += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
		cost.peakMegabytes += Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
	}
	return cost;
}

function ownRuntimes(): string[] {
	const pids = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
	return pids.filter((pid) => {
		const [, name, parent] = /\((.*)\) \S (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
		return name === "workerd" && Number(parent) === process.pid;
	});
}

function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
