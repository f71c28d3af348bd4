import { compare } from "./load.ts";
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

export async function benchBatch({ urls, keys }: BenchServer): Promise<void> {
	const jobsUrl = `${urls.batch}/v1/batch/jobs`;
	const headers = { "x-api-key": keys.batch_key };
	const post = (body: string) =>
		fetch(jobsUrl, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
	const inline = JSON.stringify({ input_base64: tone().toString("base64"), input_filename: "tone.wav" });

	const overheads: number[] = [];
	let jobId = "";
	for (let job = 0; job < JOBS; job++) {
		const startedAt = performance.now();
		const answer = (await (await post(inline)).json()) as { job_id: string };
		jobId = answer.job_id;
		const done = (await (await fetch(`${jobsUrl}/${jobId}?wait=25`, { headers })).json()) as {
			status: string;
		};
		if (done.status !== "DONE") throw new Error(`the job of the bench ended ${JSON.stringify(done)}`);
		overheads.push(performance.now() - startedAt - ENGINE_MS);
	}
	overheads.sort((a, b) => a - b);

	const url = JSON.stringify({ input_url: "https://audio.example/speech.wav" });
	await compare(
		"Batch",
		{ name: "baseline: Hono, one D1 read", url: `${urls.baseline}/organisations/${keys.organisation_id}` },
		[
			{ name: "GET job", url: `${jobsUrl}/${jobId}`, headers },
			{
				name: "POST presign",
				url: jobsUrl,
				method: "POST",
				headers,
				body: () => JSON.stringify({ mode: "presign", filename: "speech.wav" }),
			},
			{ name: "POST job by URL", url: jobsUrl, method: "POST", headers, body: () => url, expect: 202 },
		],
	);
	const at = (share: number) => `${(overheads[Math.floor((JOBS - 1) * share)] ?? 0).toFixed(0)} ms`;
	console.log(
		`a whole job takes, beyond the ${ENGINE_MS} ms of its engine: median ${at(0.5)}, least ${at(0)}, most ${at(1)}`,
	);
}
