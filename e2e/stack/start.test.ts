import { execFileSync, spawn } from "node:child_process";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { root } from "@parley/dev-stack/settings/configs";
import { freePort } from "@parley/dev-stack/stack";
import { afterAll, expect, inject, test } from "vitest";
import { hasCurl } from "../batch/batch-client.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-start-"));
const state = join(folder, "state");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start` as a user runs it. */
async function start() {
	const port = await freePort();
	const child = spawn("npm", ["start"], {
		cwd: root,
		env: { ...process.env, PORT: String(port), PARLEY_STATE: state },
	});
	let output = "";
	child.stdout.on("data", (chunk) => {
		output += chunk;
	});
	child.stderr.on("data", (chunk) => {
		output += chunk;
	});
	const ended = new Promise<void>((done) => child.once("close", () => done()));
	const deadline = Date.now() + 150_000;
	while (!output.includes("Ctrl-C ends it.")) {
		if (Date.now() > deadline || child.exitCode !== null) throw new Error(`not ready:\n${output}`);
		await sleep(50);
	}
	const stop = async (signal: NodeJS.Signals) => {
		child.kill(signal);
		await ended;
	};
	const outputNow = () => output;
	return { port, output, outputNow, stop, dev: JSON.parse(readFileSync(join(state, "dev.json"), "utf8")) };
}

const speechUrl = () =>
	JSON.parse(
		JSON.parse(readFileSync(join(state, "config/batch/wrangler.json"), "utf8")).vars.SPEECH_ENGINES,
	)[0].base_url;

/** Command lines of living processes that name the state folder. */
function processesOf(text: string): string[] {
	const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return ids.map(commandLine).filter((line) => line.includes(text));
}

const pathsBelow = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
		join(parentPath, name),
	);

/** Files and folders of a tree on which any right is given to other users. */
const readableByOthers = (folder: string): string[] =>
	[folder, ...pathsBelow(folder)].filter(
		(path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
	);

function commandLine(id: string): string {
	try {
		return readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
	} catch {
		return ""; // it has just ended
	}
}

test("npm start prints what works, keeps keys over a restart, and leaves nothing behind", async () => {
	const first = await start();
	expect(first.dev).toEqual({
		base_url: `http://127.0.0.1:${first.port}`,
		agents_url: first.dev.base_url,
		batch_url: first.dev.base_url,
		organisation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		api_key: expect.stringMatching(/^parley_cu_/),
		batch_key: expect.stringMatching(/^parley_bt_/),
		console: { url: `http://127.0.0.1:${first.port}/` },
	});
	// Another stack, that of the other tests, runs beside this one.
	expect(first.dev.organisation_id).not.toBe(inject("keys").organisation_id);
	const lines = first.output.split("\n").filter((line) => line.includes("curl -s"));
	expect(lines).toHaveLength(3);
	if (hasCurl) {
		const [me, submitted, text] = lines.map((line) =>
			execFileSync("sh", ["-c", line], { cwd: root, encoding: "utf8" }),
		);
		expect(JSON.parse(me ?? "")).toMatchObject({ org_id: first.dev.organisation_id });
		expect(JSON.parse(submitted ?? "")).toEqual({ job_id: "hello1", status: "QUEUED" });
		expect(text).toMatch(/^[a-z]+( [a-z]+)+/i);
	}
	expect(readableByOthers(state)).toEqual([]);
	const speech = speechUrl();
	await first.stop("SIGINT");
	expect(first.outputNow()).toContain(`Parley has stopped; keys and data stay in ${state}`);
	expect(processesOf(state)).toEqual([]);
	await expect(fetch(speech)).rejects.toThrow();
	expect(existsSync(join(state, "lock"))).toBe(false);

	// As versions left it that let others read it.
	const traces = join(state, "data/v3/observability");
	mkdirSync(traces);
	for (const path of [state, ...pathsBelow(state)]) chmodSync(path, 0o755);

	const second = await start();
	expect(readableByOthers(state)).toEqual([]);
	expect(existsSync(traces)).toBe(false);
	expect(second.dev.api_key).toBe(first.dev.api_key);
	if (hasCurl) {
		const job = await fetch(`${second.dev.batch_url}/v1/batch/jobs/hello1`, {
			headers: { "x-api-key": second.dev.batch_key },
		});
		expect(await job.json()).toMatchObject({ status: "DONE" });
	}
	await second.stop("SIGTERM");
	expect(processesOf(state)).toEqual([]);
}, 400_000);
