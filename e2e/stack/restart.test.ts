// Crashes of the stack's processes, one at a time and all at once. Linux only: processes are found in /proc.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { freePort, startStack } from "@parley/dev-stack/stack";
import { startLoopback } from "@parley/testing/loopback";
import { afterAll, expect, test } from "vitest";
import { createLiveAgent } from "../agents/live-agent.ts";
import { call, speechFixture } from "../batch/batch-client.ts";

const CLIP = { input_base64: speechFixture("clip.wav").toString("base64"), input_filename: "clip.wav" };
const RESTART_WITHIN_MS = 60_000;

/** Holds its answers until it is released: what is asked before dies with whoever asked. */
let isReleased = false;
let asked = 0;
const engine = await startLoopback((request, response) => {
	asked++;
	request.resume();
	request.once("end", () => {
		if (!isReleased) return;
		const words = [{ word: "hello", start: 0, end: 1 }];
		response
			.writeHead(200, { "content-type": "application/json" })
			.end(JSON.stringify({ language: "english", duration: 3, text: "hello", words, segments: [] }));
	});
});
const model = { code: "test/held", model: "held" };
const settings = {
	SPEECH_ENGINES: JSON.stringify([
		{ vendor: "openai-compatible", base_url: `${engine.url}/v1`, models: [model] },
	]),
	DEFAULT_MODEL: model.code,
};

const state = mkdtempSync(join(tmpdir(), "parley-restart-"));
const restarted: string[] = [];
let failure: Error | undefined;
const stack = await startStack({
	state,
	port: await freePort(),
	settings,
	onRestart: (name) => restarted.push(name),
	onFailure: (error) => {
		failure = error;
	},
});
afterAll(async () => {
	await stack.stop();
	await engine.stop();
	rmSync(state, { recursive: true, force: true });
});

const options = { baseUrl: stack.baseUrl, key: stack.keys.batch_key };
const agents = (method: string, path: string, body?: unknown) =>
	call<{ id: string; status: string }>(method, `/v1/agents${path}`, body, {
		baseUrl: stack.baseUrl,
		headers: { authorization: `Bearer ${stack.keys.api_key}` },
	});

type Process = { pid: number; parent: number; command: string };

/** The processes that serve this stack's workers, and the workerd of each. */
function findProcesses(): { leaders: number[]; runtimes: number[] } {
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	const all = pids.flatMap((pid) => readProcess(Number(pid)) ?? []);
	const leaders = all
		.filter(({ command }) => command.includes("serve-workers.ts") && command.includes(state))
		.map(({ pid }) => pid);
	const runtimes = all
		.filter(({ parent, command }) => leaders.includes(parent) && command.includes("workerd"))
		.map(({ pid }) => pid);
	return { leaders, runtimes };
}

function readProcess(pid: number): Process | undefined {
	try {
		const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
		return { pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, "utf8") };
	} catch {
		return undefined; // it has just ended
	}
}

function kill(pids: number[]): void {
	for (const pid of pids) process.kill(pid, "SIGKILL");
}

/** Calls until it succeeds: while a process is started again its port is closed. */
async function untilTrue(check: () => Promise<boolean>, withinMs = RESTART_WITHIN_MS): Promise<void> {
	const deadline = Date.now() + withinMs;
	while (!(await check().catch(() => false))) {
		if (Date.now() > deadline) throw new Error(`${check} within ${withinMs} ms`);
		await sleep(100);
	}
}

const answers = async () => (await fetch(`${stack.baseUrl}/health`)).ok;

async function submit(): Promise<string> {
	const { status, body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", CLIP, options);
	expect(status, JSON.stringify(body)).toBe(202);
	return body.job_id;
}

const isDone = async (jobId: string) =>
	(await call("GET", `/v1/batch/jobs/${jobId}`, undefined, options)).body.status === "DONE";

test("after every workerd was killed, the stack answers again and its jobs go on at once", async () => {
	const jobs = await Promise.all([submit(), submit(), submit()]);
	await untilTrue(async () => asked > 0);
	const { runtimes } = findProcesses();
	expect(runtimes).toHaveLength(2);
	kill(runtimes);
	isReleased = true;
	await sleep(200);
	await untilTrue(answers);
	// A lease of the dead would last 30 s, and the next minute's cron may be 60 s away.
	for (const job of jobs) await untilTrue(() => isDone(job), 20_000);
	await expect.poll(() => restarted.toSorted()).toEqual(["python", "workers"]);
}, 180_000);

test("a tool call whose worker was killed is recorded as interrupted, and the next one runs", async () => {
	let [isHeld, called] = [false, 0];
	const tool = await startLoopback((request, response) => {
		called++;
		request.resume();
		if (!isHeld) response.writeHead(200, { "content-type": "application/json" }).end('{"forecast":"clear"}');
	});
	try {
		const live = await createLiveAgent(stack, `${tool.url}/forecast`);
		isHeld = true;
		called = 0;
		const broken = live.call("lost").catch(() => "broken");
		await untilTrue(async () => called === 1);
		await untilTrue(async () => (await live.records())[0]?.status === "running");
		kill(findProcesses().runtimes);
		expect(await broken).toBe("broken");
		isHeld = false;
		await untilTrue(answers);
		await untilTrue(async () => (await live.records()).every(({ status }) => status !== "running"));
		expect((await live.records())[0]).toMatchObject({
			...{ tool_call_id: "lost", status: "failed", error: { code: "INTERRUPTED" } },
		});
		await untilTrue(async () => (await live.call("next")).status === "succeeded");
	} finally {
		await tool.stop();
	}
}, 180_000);

test("the sandbox is reached again after both of its processes were killed", async () => {
	const { body: tool } = await agents("POST", "/tools", {
		name: "add",
		tool_type: "code",
		code_src: "def handler(a: int = 1) -> int:\n    return a + 1",
	});
	await agents("POST", `/tools/${tool.id}/introspect`);
	const run = async () => {
		const sample = { sample_input: { a: 1 }, confirm_side_effects: true };
		return (await agents("POST", `/tools/${tool.id}/run`, sample)).body.status;
	};
	await untilTrue(async () => (await run()) === "succeeded");
	const { leaders, runtimes } = findProcesses();
	kill([...leaders, ...runtimes]);
	await sleep(200);
	await untilTrue(async () => (await run()) === "succeeded");
	expect(failure).toBeUndefined();
}, 180_000);

test("a process that crashes again and again ends the stack with a message that names its log", async () => {
	const deadline = Date.now() + 150_000;
	while (!failure && Date.now() < deadline) {
		kill(findProcesses().leaders);
		await sleep(100);
	}
	expect(failure?.message).toMatch(/^(workers|python) crashed too often within a minute\. Its log is /);
	expect(failure?.message).toContain(join(state, "logs"));
}, 180_000);
