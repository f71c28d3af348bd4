// The command in a process of its own, against a loopback server that speaks as much of the batch API as it needs.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "parley-interrupted-"));
const file = join(folder, "a.wav");
const bin = join(import.meta.dirname, "../bin/parley.mjs");
let requests: string[] = [];
let status = "PROCESSING";
const server = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	const call = `${request.method} ${request.url?.split("?")[0]}`;
	requests.push(call);
	const text = Buffer.concat(chunks).toString();
	const presign = call === "POST /v1/batch/jobs" && JSON.parse(text).mode === "presign";
	if (call.endsWith("/transcript")) response.end("hello\n");
	else if (presign) {
		const upload = { url: `${origin()}/storage`, s3_key: "key", headers: {} };
		response.end(JSON.stringify({ job_id: "job1", upload }));
	} else if (call === "GET /v1/batch/jobs/job1") {
		// Held for a moment, as the service does.
		setTimeout(() => response.end(JSON.stringify({ job_id: "job1", status, progress: 0.5 })), 50);
	} else response.end(JSON.stringify({ job_id: "job1", status: "QUEUED" }));
});
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
	writeFileSync(file, "sound");
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
	rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
	requests = [];
	status = "PROCESSING";
});

/** `onError` sees what has come on standard error so far. */
async function transcribe(
	input: string,
	onError: (text: string, child: ChildProcess) => void = () => {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
	const env = { ...process.env, PARLEY_URL: origin(), PARLEY_API_KEY: "key", XDG_CACHE_HOME: folder };
	const child = spawn(process.execPath, [bin, "transcribe", input, "--format", "srt"], { env });
	let [stdout, stderr] = ["", ""];
	child.stdout.on("data", (text) => {
		stdout += text;
	});
	child.stderr.on("data", (text) => {
		stderr += text;
		onError(stderr, child);
	});
	const code = await new Promise<number | null>((closed) => child.once("close", closed));
	return { code, stdout, stderr };
}

test("an interrupted command names its job, and given again follows that one", async () => {
	const first = await transcribe(file, (text, child) => {
		if (text.includes("processing")) child.kill("SIGINT");
	});
	expect(first).toMatchObject({ code: 130, stdout: "" });
	expect(first.stderr).toContain("a.wav: job1\n");
	expect(first.stderr).toContain(
		`${file}: job1 goes on; \`parley transcript job1 --format srt\` gives what it hears`,
	);
	expect(requests.filter((call) => call === "POST /v1/batch/jobs")).toHaveLength(2);

	status = "DONE";
	requests = [];
	expect(await transcribe(file)).toMatchObject({ code: 0, stdout: "hello\n" });
	expect(requests.filter((call) => !call.startsWith("GET"))).toEqual([]);
	expect(readdirSync(join(folder, "parley/jobs"))).toEqual([]);
});

test("a job whose transcript was delivered is not followed again, nor one that failed", async () => {
	status = "FAILED";
	expect(await transcribe(file)).toMatchObject({ code: 1 });
	status = "DONE";
	requests = [];
	expect(await transcribe(file)).toMatchObject({ code: 0 });
	requests = [];
	expect(await transcribe(file)).toMatchObject({ code: 0 });
	expect(requests).toContain("PUT /storage");
});

test("the job of a URL is named as well when the command is ended", async () => {
	const url = "https://x.example/talk.m4a";
	const { code, stderr } = await transcribe(url, (text, child) => {
		if (text.includes("processing")) child.kill("SIGTERM");
	});
	expect(code).toBe(130);
	expect(stderr).toContain(`${url}: job1 goes on;`);
});
