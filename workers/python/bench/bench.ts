// Figures of the sandbox on this machine, through a service binding from another process: `node workers/python/bench/bench.ts`.
import { execFileSync } from "node:child_process";
import type { CodeBuild, CodeRunResult, FrozenDependency } from "@parley/contracts/internal/python-rpc";
import { startPackageIndex } from "../test/package-index.ts";
import { type PythonStack, startPythonStack } from "../test/stack.ts";

type PythonFigures = {
	firstRunMs: number;
	coldRunMs: number;
	buildWithWheelMs: number;
	runWithWheelMs: number;
	/** From the call to the answer of a tool that spins, beyond its limit. */
	timeoutOverrunMs: number;
	runAfterTimeoutMs: number;
	mebibytesPerIsolate: number;
};

const ROUNDS = 9;
const LIMIT_MS = 1_000;
const QUICK = "def handler(a: int = 1):\n    print('adding')\n    return {'sum': a + 2}";
const WITH_WHEEL = "from big_lib import m1, m2, m3\ndef handler():\n    return m1.VALUE_1";
const SPIN = "def handler():\n    while True: pass";
const ASLEEP = "import asyncio\nasync def handler():\n    await asyncio.sleep(3)";

/** Starts a sandbox of its own, measures, and stops it. All times are medians in milliseconds. */
async function measurePython(): Promise<PythonFigures> {
	const index = await startPackageIndex();
	const stack = await startPythonStack({
		PYTHON_INDEX: `${index.url}/simple/`,
		EGRESS_ALLOW_LOOPBACK: "true",
	});
	try {
		const { run, build } = caller(stack);
		const firstRunMs = await timed(() => run(QUICK));
		const coldRunMs = await medianOf(ROUNDS, () => run(QUICK));
		let frozen: FrozenDependency[] = [];
		const buildWithWheelMs = await timed(async () => {
			const built = await build(WITH_WHEEL, ["big-lib==1.0"]);
			if (!built.ok) throw new Error(JSON.stringify(built.errors));
			frozen = built.frozen_deps;
		});
		const runWithWheelMs = await medianOf(ROUNDS, () => run(WITH_WHEEL, { frozen_deps: frozen }));
		const overruns: number[] = [];
		const recoveries: number[] = [];
		for (let i = 0; i < 3; i++) {
			overruns.push((await timed(() => run(SPIN, { timeout_ms: LIMIT_MS }, "timed_out"))) - LIMIT_MS);
			recoveries.push(await timed(() => run(QUICK)));
		}
		return {
			firstRunMs,
			coldRunMs,
			buildWithWheelMs,
			runWithWheelMs,
			timeoutOverrunMs: median(overruns),
			runAfterTimeoutMs: median(recoveries),
			mebibytesPerIsolate: await memoryPerIsolate(stack, () => run(ASLEEP)),
		};
	} finally {
		await stack.stop();
		await index.stop();
	}
}

function caller({ callerUrl }: PythonStack) {
	const call = async <T>(method: string, input: object): Promise<T> => {
		const response = await fetch(`${callerUrl}/${method}`, { method: "POST", body: JSON.stringify(input) });
		return (await response.json()) as T;
	};
	return {
		async run(code_src: string, more: object = {}, expected = "succeeded"): Promise<void> {
			const empty = { frozen_deps: [], arguments: {}, arg_schema: null, output_schema: null, secrets: {} };
			const result = await call<CodeRunResult>("run", { code_src, ...empty, ...more });
			if (result.status !== expected) throw new Error(JSON.stringify(result));
		},
		build: (code_src: string, dependencies: string[]) =>
			call<CodeBuild>("build", { code_src, dependencies, declared_secrets: [] }),
	};
}

/** Returns the resident memory that each of four concurrent interpreters adds to the worker's processes. */
async function memoryPerIsolate(stack: PythonStack, asleep: () => Promise<void>): Promise<number> {
	const before = residentMebibytes(stack.pid);
	const runs = Promise.all([asleep(), asleep(), asleep(), asleep()]);
	await new Promise((done) => setTimeout(done, 2_500));
	const during = residentMebibytes(stack.pid);
	await runs;
	return Math.round((during - before) / 4);
}

function residentMebibytes(group: number): number {
	const lines = execFileSync("ps", ["-eo", "pgid=,rss="], { encoding: "utf8" }).trim().split("\n");
	const ours = lines.map((line) => line.trim().split(/\s+/).map(Number)).filter(([pgid]) => pgid === group);
	return ours.reduce((sum, [, kibibytes = 0]) => sum + kibibytes, 0) / 1024;
}

async function timed(work: () => Promise<void>): Promise<number> {
	const started = performance.now();
	await work();
	return Math.round(performance.now() - started);
}

async function medianOf(rounds: number, work: () => Promise<void>): Promise<number> {
	const times: number[] = [];
	for (let i = 0; i < rounds; i++) times.push(await timed(work));
	return median(times);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

for (const [name, value] of Object.entries(await measurePython()))
	process.stdout.write(`${name.padEnd(22)}${String(value).padStart(8)}\n`);
