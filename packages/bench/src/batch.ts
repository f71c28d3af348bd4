import { benchCutting } from "./cutting.ts";
import type { Engine } from "./engine.ts";
import { compare } from "./load.ts";
import { hostRecording, longRecording } from "./long-audio.ts";
import { runtimeCost } from "./process-cost.ts";
import { startRival } from "./rival/serve.ts";
import type { BenchServer } from "./server.ts";

export const ENGINE_MS = 1000;
const JOBS = 10;

/** Three seconds of 16 kHz mono PCM, quiet enough to be small in base64 and loud enough to be heard. */
function tone(): Buffer {
	const samples = 16_000 * 3;
	const wav = Buffer.alloc(44 + samples * 2);
	wav.write("RIFF", 0);
	wav.writeUInt32LE(36 + samples * 2, 4);
	wav.write("WAVEfmt ", 8);
	wav.writeUInt32LE(16, 16);
	wav.writeUInt16LE(1, 20);
	wav.writeUInt16LE(1, 22);
	wav.writeUInt32LE(16_000, 24);
	wav.writeUInt32LE(32_000, 28);
	wav.writeUInt16LE(2, 32);
	wav.writeUInt16LE(16, 34);
	wav.write("data", 36);
	wav.writeUInt32LE(samples * 2, 40);
	for (let at = 0; at < samples; at++) wav.writeInt16LE(Math.round(8000 * Math.sin(at / 6)), 44 + at * 2);
	return wav;
}

export async function benchBatch(server: BenchServer, engine: Engine): Promise<void> {
	const { urls, keys } = server;
	const jobsUrl = `${urls.batch}/v1/batch/jobs`;
	const headers = { "x-api-key": keys.batch_key };
	const jobId = await benchShortJobs(jobsUrl, headers);
	// Before the submissions below, whose thousands of jobs the pipeline then works off.
	for (const hours of [1, 24]) await benchLongJob(jobsUrl, headers, hours, engine);
	for (const hours of [1, 24]) await benchCutting(hours);

	const url = JSON.stringify({ input_url: "https://audio.example/speech.wav" });
	const presign = () => JSON.stringify({ mode: "presign", filename: "speech.wav" });
	const post = { method: "POST" as const, headers };
	await compare(
		"Batch",
		{ name: "baseline: Hono, one D1 read", url: `${urls.baseline}/organisations/${keys.organisation_id}` },
		[
			{ name: "GET job", url: `${jobsUrl}/${jobId}`, headers },
			{ ...post, name: "POST presign", url: jobsUrl, body: presign },
			{ ...post, name: "POST job by URL", url: jobsUrl, body: () => url, expect: 202 },
		],
	);
	await benchBesideRival(jobsUrl, headers, { presign, url: () => url });
}

/** @returns the id of a job that is done. */
async function benchShortJobs(jobsUrl: string, headers: Record<string, string>): Promise<string> {
	const inline = { input_base64: tone().toString("base64"), input_filename: "tone.wav" };
	const overheads: number[] = [];
	let jobId = "";
	for (let job = 0; job < JOBS; job++) {
		const startedAt = performance.now();
		jobId = await runJob(jobsUrl, headers, inline);
		overheads.push(performance.now() - startedAt - ENGINE_MS);
	}
	overheads.sort((a, b) => a - b);
	const at = (share: number) => `${(overheads[Math.floor((JOBS - 1) * share)] ?? 0).toFixed(0)} ms`;
	console.log(
		`\na whole job takes, beyond the ${ENGINE_MS} ms of its engine: median ${at(0.5)}, least ${at(0)}, most ${at(1)}`,
	);
	return jobId;
}

async function benchBesideRival(
	jobsUrl: string,
	headers: Record<string, string>,
	bodies: { presign: () => string; url: () => string },
): Promise<void> {
	const rival = await startRival();
	if (!rival) return console.log("\n(no comparison: PostgreSQL and Redis are not on this machine)");
	const writes = [
		{ name: "POST presign", body: bodies.presign, expect: 200 },
		{ name: "POST job by URL", body: bodies.url, expect: 202 },
	];
	try {
		for (const { name, body, expect } of writes) {
			const post = { method: "POST" as const, body, expect };
			await compare(
				`${name}, beside Fastify, PostgreSQL and BullMQ on Redis`,
				{ ...post, name: "baseline: the usual stack", url: rival.url, headers: rival.headers },
				[{ ...post, name: "Parley", url: jobsUrl, headers }],
			);
		}
	} finally {
		rival.stop();
	}
}

async function benchLongJob(
	jobsUrl: string,
	headers: Record<string, string>,
	hours: number,
	engine: Engine,
): Promise<void> {
	const recording = longRecording(hours);
	const host = await hostRecording(recording);
	const asked = engine.asked();
	const before = runtimeCost();
	const startedAt = performance.now();
	await runJob(jobsUrl, headers, { input_url: host.url });
	const seconds = (performance.now() - startedAt) / 1000;
	const after = runtimeCost();
	host.stop();
	const cpu = (after.cpuSeconds - before.cpuSeconds) / (recording.seconds / 3600);
	const memory = after.peakMegabytes - before.peakMegabytes;
	console.log(
		`${hours} h by URL, an engine that takes ${ENGINE_MS} ms a chunk: ${seconds.toFixed(1)} s for ${engine.asked() - asked} chunks, ` +
			`${cpu.toFixed(2)} s of processor an hour of audio (simulated storage included), memory +${memory.toFixed(0)} MB`,
	);
}

async function runJob(jobsUrl: string, headers: Record<string, string>, input: object): Promise<string> {
	const body = JSON.stringify(input);
	const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
	const { job_id } = (await (await fetch(jobsUrl, init)).json()) as { job_id: string };
	for (;;) {
		const job = (await (await fetch(`${jobsUrl}/${job_id}?wait=25`, { headers })).json()) as {
			status: string;
		};
		if (job.status === "DONE") return job_id;
		if (job.status === "FAILED") throw new Error(`the job of the bench ended ${JSON.stringify(job)}`);
	}
}
