// The command as a process without a terminal: exit statuses, streams and pipes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BatchServer, startBatchServer } from "../test/batch-server.ts";
import { BIN, runCommand } from "../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-command-"));
const file = join(folder, "a.wav");
let server: BatchServer;
beforeAll(async () => {
	writeFileSync(file, "sound");
	server = await startBatchServer();
});
beforeEach(() => {
	server.refusal = undefined;
});
afterAll(() => {
	server.stop();
	rmSync(folder, { recursive: true, force: true });
});

async function parley(...args: string[]) {
	return run(process.execPath, [BIN, ...args]);
}

const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
	runCommand(program, args, {
		...{ ...process.env, PARLEY_URL: server.origin, PARLEY_API_KEY: "key", XDG_CACHE_HOME: folder },
		...env,
	});

test("help and version go to standard output without escape sequences", async () => {
	for (const args of [
		["--help"],
		["help"],
		["help", "transcribe"],
		["transcribe", "--help"],
		["--version"],
	]) {
		const { code, stdout, stderr } = await parley(...args);
		expect([args, code, stderr]).toEqual([args, 0, ""]);
		expect(stdout).toMatch(args[0] === "--version" ? /^\d+\.\d+\.\d+\n$/ : /^Usage: parley/);
		expect(stdout).not.toContain("\u001b");
	}
});

test("a usage error goes to standard error with status 2", async () => {
	const cases: [string[], string][] = [
		[[], "Usage: parley"],
		[["trnscribe"], "unknown command 'trnscribe'"],
		[["transcribe"], "missing required argument 'input'"],
		[["transcribe", file, "--formt", "srt"], "unknown option '--formt'"],
		[["transcribe", file, "--format", "doc"], "Allowed choices are txt, json, srt, vtt"],
		[["transcribe", file, "--parts-above", "x"], "--parts-above must be a whole number of MiB"],
		[["transcript", "job1", "--revision", "newest"], "--revision must be the number of a revision"],
		[["transcribe", join(folder, "gone.wav")], "there is no such file"],
	];
	for (const [args, message] of cases) {
		const { code, stdout, stderr } = await parley(...args);
		expect([args, code, stdout]).toEqual([args, 2, ""]);
		expect(stderr).toContain(message);
	}
});

test("a refusal of the service has status 4, a missing job status 3, a failure of the service status 1", async () => {
	const cases: [number, string, number][] = [
		[401, "Invalid API key", 4],
		[400, "model_code: There is no model x", 4],
		[404, "Job not found", 3],
		[500, "Internal server error", 1],
	];
	for (const [status, error, expected] of cases) {
		server.refusal = { status, error };
		const { code, stderr } = await parley("transcript", "job9");
		expect([status, code]).toEqual([status, expected]);
		expect(stderr).toBe(`parley: ${error}\n`);
	}
}, 60_000);

test("transcript prints the latest revision unless another is asked for, and names it on standard error", async () => {
	server.latestRevision = 3;
	const cases: [string[], string, string][] = [
		[[], "hello r3\n", "job1: revision 3, the latest; `--revision original` prints the engine's original\n"],
		[["--revision", "2"], "hello r2\n", "job1: revision 2; the latest is 3\n"],
		[
			["--revision", "original"],
			"hello\n",
			"job1: the engine's original, which was edited; `--revision latest` prints revision 3\n",
		],
	];
	for (const [args, stdout, stderr] of cases)
		expect(await parley("transcript", "job1", ...args)).toEqual({ code: 0, stdout, stderr });
	server.latestRevision = 0;
	expect(await parley("transcript", "job1")).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
}, 60_000);

test("a job is named after its file or the last part of its URL", async () => {
	for (const [input, title] of [
		[file, "a.wav"],
		["https://x.example/calls/caf%C3%A9.mp3?sig=1", "café.mp3"],
		["https://x.example/calls/100%.mp3", "100%.mp3"],
		["https://x.example/", "https://x.example/"],
	] as const) {
		expect(await parley("transcribe", input, "--no-wait")).toMatchObject({ code: 0, stdout: "job1\n" });
		expect(server.submissions.at(-1)).toMatchObject({ tracking: { title } });
	}
}, 60_000);

test("a refused model or language costs no upload", async () => {
	server.refusal = { status: 400, error: "model_code: There is no model x" };
	server.requests.length = 0;
	const { code, stderr } = await parley("transcribe", file, "--model", "x");
	expect(code).toBe(4);
	expect(stderr).toContain("model_code: There is no model x");
	expect(server.requests).toEqual(["POST /v1/batch/jobs"]);
});

test("an address where nothing listens has status 5", async () => {
	const { code, stderr } = await run(process.execPath, [BIN, "jobs"], { PARLEY_URL: "http://127.0.0.1:9" });
	expect(code).toBe(5);
	expect(stderr).toContain("http://127.0.0.1:9 could not be reached");
});

test("a closed pipe is no failure", async () => {
	server.transcript = "line\n".repeat(100_000);
	const script = `"$0" "$1" transcript job1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
	const { stdout, stderr } = await run("bash", ["-c", script, process.execPath, BIN]);
	expect([stdout, stderr]).toEqual(["line\n0\n", ""]);
});
