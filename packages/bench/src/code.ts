// Code tools as a caller sees them: through the whole local stack, whose sandbox is a process of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { freePort, type Stack, startStack } from "@parley/dev-stack/stack";
import { startPackageIndex } from "../../../workers/python/test/package-index.ts";

type Json = Record<string, unknown>;
type Client = ReturnType<typeof clientOf>;

const LIMIT_MS = 2000;
const AT_ONCE = 4;
const ROUNDS = 9;
const BETWEEN_CALLS_MS = 1000;
const ADDING = "def handler(a: int = 1) -> dict[str, int]:\n    return {'sum': a + 2}";
const WITH_WHEEL = "from big_lib import m1, m2, m3\ndef handler():\n    return m1.VALUE_1";
const SPINNING = "def handler():\n    while True: pass";
const ASLEEP = "import asyncio\nasync def handler():\n    await asyncio.sleep(1.5)";

/** Prints each figure beside what it should not exceed. Times are in milliseconds, medians unless they say otherwise. */
export async function benchCode(): Promise<void> {
	const state = mkdtempSync(join(tmpdir(), "parley-bench-code-"));
	const index = await startPackageIndex();
	const settings = {
		PYTHON_INDEX: `${index.url}/simple/`,
		CODE_RUN_TIMEOUT_MS: String(LIMIT_MS),
		CODE_RUNS_AT_ONCE: String(AT_ONCE),
		SPEECH_ENGINES: "[]",
	};
	const stack = await startStack({ state, port: await freePort(), settings });
	try {
		console.log(`\nCode tools (whole stack over HTTP, medians of ${ROUNDS})`);
		await measure(clientOf(stack), state);
	} finally {
		await stack.stop();
		await index.stop();
		rmSync(state, { recursive: true, force: true });
	}
}

async function measure(client: Client, state: string): Promise<void> {
	const { build, run } = client;
	const started = performance.now();
	const adding = await build(ADDING);
	print("build of a tool, the first thing after start", performance.now() - started, 1200);
	print("run", await medianOf(ROUNDS, () => timed(() => run(adding))), 450);

	await measureSpares(client, adding);

	const withWheel = await build(WITH_WHEEL, { dependencies: ["big-lib==1.0"] });
	print(
		"run with a wheel of 2 MB and 500 modules",
		await medianOf(ROUNDS, () => timed(() => run(withWheel))),
	);

	const spinning = await build(SPINNING);
	const after: number[] = [];
	const overrun = await medianOf(3, async () => {
		const took = await timed(() => run(spinning, "timed_out"));
		after.push(await timed(() => run(adding)));
		return took - LIMIT_MS;
	});
	print(`timeout of an endless loop, beyond its limit of ${LIMIT_MS}`, overrun, 700);
	print("run after a timeout", median(after), 450);

	const idle: number[] = [];
	const beside: number[] = [];
	for (let round = 0; round < 3; round++) {
		idle.push(...(await client.gets(adding, sleep(LIMIT_MS))));
		beside.push(...(await client.gets(adding, run(spinning, "timed_out"))));
	}
	print("GET of a tool, idle", median(idle));
	print("GET of a tool while another tool spins", median(beside), 1.5 * median(idle));

	const asleep = await build(ASLEEP);
	const before = sandboxMebibytes(state);
	const runs = Promise.all(Array.from({ length: AT_ONCE }, () => run(asleep)));
	let most = before;
	for (let look = 0; look < 20; look++) {
		await sleep(100);
		most = Math.max(most, sandboxMebibytes(state));
	}
	await runs;
	print(`memory of each of ${AT_ONCE} live interpreters, MiB`, (most - before) / AT_ONCE);
}

/** Compares drafts, which always get a fresh interpreter, with versions, for which a spare one is kept. */
async function measureSpares(client: Client, adding: string): Promise<void> {
	const { run, publish, runVersion } = client;
	await publish(adding);
	await runVersion(adding);
	const callByAgent = await client.liveCall(adding);
	const fresh: number[] = [];
	const spare: number[] = [];
	const live: number[] = [];
	for (let round = 0; round < 3 * ROUNDS; round++) {
		await sleep(BETWEEN_CALLS_MS);
		spare.push(await timed(() => runVersion(adding)));
		await sleep(BETWEEN_CALLS_MS);
		live.push(await timed(callByAgent));
		if (round % 3 > 0) continue;
		await sleep(BETWEEN_CALLS_MS);
		fresh.push(await timed(() => run(adding)));
	}
	print("call of a draft, between calls of the version", median(fresh));
	print(`call of a version, one each ${BETWEEN_CALLS_MS} ms`, median(spare), 100);
	print("the slowest twentieth of these is above", quantile(spare, 0.95));
	print("call of the version by a live agent", median(live), 100);
	print("the slowest twentieth of these is above", quantile(live, 0.95));
}

function clientOf({ baseUrl, keys }: Stack) {
	const root = `${baseUrl}/v1/agents/tools`;
	const headers = { authorization: `Bearer ${keys.api_key}`, "content-type": "application/json" };
	const post = async (path: string, body: Json = {}, base = root): Promise<Json> => {
		const response = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
		const answer = (await response.json()) as Json;
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	};
	return {
		async build(code_src: string, rest: Json = {}): Promise<string> {
			const { id } = await post("", { name: `bench-${crypto.randomUUID()}`, code_src, ...rest });
			const { build } = await post(`/${id}/introspect`);
			if ((build as Json).state !== "built") throw new Error(JSON.stringify(build));
			return String(id);
		},
		async run(id: string, expected = "succeeded"): Promise<void> {
			const { status, error } = await post(`/${id}/run`, { confirm_side_effects: true });
			if (status !== expected) throw new Error(`The run ended as ${status}: ${JSON.stringify(error)}`);
		},
		publish: (id: string) => post(`/${id}/publish`),
		async runVersion(id: string): Promise<void> {
			const { status, error } = await post(`/${id}/versions/1/run`, { confirm_side_effects: true });
			if (status !== "succeeded") throw new Error(`The run ended as ${status}: ${JSON.stringify(error)}`);
		},
		/** Attaches version 1 to an agent, and returns a call of it as the agent's voice runtime makes it. */
		async liveCall(tool_id: string): Promise<() => Promise<void>> {
			const agents = `${baseUrl}/v1/agents`;
			const ref = { attachment_id: crypto.randomUUID(), tool_id, version: 1 };
			const { id } = await post("", { name: `bench-${tool_id}`, tool_refs: [ref] }, agents);
			const { tools } = (await (await fetch(`${agents}/${id}/tools`, { headers })).json()) as {
				tools: { name: string }[];
			};
			return async () => {
				const { status, error } = await post(`/${id}/tools/${tools[0]?.name}/call`, {}, agents);
				if (status !== "succeeded") throw new Error(`The call ended as ${status}: ${JSON.stringify(error)}`);
			};
		},
		/** How long each GET took, one after the other, until something ends. */
		async gets(id: string, until: Promise<void>): Promise<number[]> {
			const times: number[] = [];
			let isOver = false;
			const end = until.finally(() => {
				isOver = true;
			});
			while (!isOver) {
				times.push(
					await timed(async () => {
						const response = await fetch(`${root}/${id}`, { headers });
						await response.text();
						if (response.status !== 200) throw new Error(`GET answered ${response.status}`);
					}),
				);
			}
			await end;
			return times;
		},
	};
}

/** Resident memory of the sandbox's process group. */
function sandboxMebibytes(state: string): number {
	const lines = execFileSync("ps", ["-eo", "pgid=,rss=,args="], { encoding: "utf8" }).split("\n");
	const processes = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
	const group = processes.find(([, , , args]) => args?.includes(join(state, "config/python")))?.[1];
	const ours = processes.filter(([, pgid]) => pgid === group);
	return ours.reduce((sum, [, , kibibytes]) => sum + Number(kibibytes), 0) / 1024;
}

async function timed(work: () => Promise<void>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

async function medianOf(rounds: number, work: () => Promise<number>): Promise<number> {
	const values: number[] = [];
	for (let round = 0; round < rounds; round++) values.push(await work());
	return median(values);
}

const quantile = (values: number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: number[]): number => quantile(values, 0.5);

function print(name: string, value: number, goal?: number): void {
	const aim =
		goal === undefined ? "" : `   goal ${goal.toFixed(0).padStart(5)}${value > goal ? "  missed" : ""}`;
	console.log(`${name.padEnd(56)} ${value.toFixed(0).padStart(6)}${aim}`);
}
