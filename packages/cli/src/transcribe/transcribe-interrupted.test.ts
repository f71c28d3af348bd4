// The command in a process of its own, against a loopback server that speaks as much of the batch API as it needs.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BatchServer, startBatchServer } from "../../test/batch-server.ts";
import { BIN, runCommand } from "../../test/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-interrupted-"));
const file = join(folder, "a.wav");
let server: BatchServer;

beforeAll(async () => {
	writeFileSync(file, "sound");
	server = await startBatchServer();
});
afterAll(() => {
	server.stop();
	rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
	server.requests.length = 0;
	server.job = { status: "DECODING", progress: 0.5 };
});

const transcribe = (input: string, onError?: Parameters<typeof runCommand>[3]) =>
	runCommand(
		process.execPath,
		[BIN, "transcribe", input, "--format", "srt"],
		{ ...process.env, PARLEY_URL: server.origin, PARLEY_API_KEY: "key", XDG_CACHE_HOME: folder },
		onError,
	);

test("an interrupted command names its job, and given again follows that one", async () => {
	const first = await transcribe(file, (text, child) => {
		if (text.includes("decoding")) child.kill("SIGINT");
	});
	expect(first).toMatchObject({ code: 130, stdout: "" });
	expect(first.stderr).toContain("a.wav: job1\n");
	expect(first.stderr).toContain(
		`${file}: job1 continues; \`parley transcript job1 --format srt\` prints its transcript`,
	);
	expect(server.requests.filter((call) => call === "POST /v1/batch/jobs")).toHaveLength(2);

	server.job = { status: "DONE", progress: 1 };
	server.requests.length = 0;
	expect(await transcribe(file)).toMatchObject({ code: 0, stdout: "hello\n" });
	expect(server.requests.filter((call) => !call.startsWith("GET"))).toEqual([]);
	expect(readdirSync(join(folder, "parley/jobs"))).toEqual([]);
});

test("a job whose transcript was delivered is not followed again, nor one that failed", async () => {
	server.job = { status: "FAILED", progress: 0 };
	expect(await transcribe(file)).toMatchObject({ code: 1 });
	server.job = { status: "DONE", progress: 1 };
	server.requests.length = 0;
	expect(await transcribe(file)).toMatchObject({ code: 0 });
	server.requests.length = 0;
	expect(await transcribe(file)).toMatchObject({ code: 0 });
	expect(server.requests).toContain("PUT /storage");
});

test("the job of a URL is named as well when the command is ended", async () => {
	const url = "https://x.example/talk.m4a";
	const { code, stderr } = await transcribe(url, (text, child) => {
		if (text.includes("decoding")) child.kill("SIGTERM");
	});
	expect(code).toBe(130);
	expect(stderr).toContain(`${url}: job1 continues;`);
});
