// `npm run demo:batch -- [--minutes 60] [format …]`: a long recording in each format, from presign to transcript, on a stack of its
// own. What came out is held against what the engine hears when it gets the recording in one piece.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Cutting } from "@parley/bench/cutting";
import { openAudio } from "@parley/decoder/audio-decoder";
import { root } from "@parley/dev-stack/settings/configs";
import { offlineEngine } from "@parley/dev-stack/settings/engine-settings";
import { startSpeech } from "@parley/dev-stack/speech";
import { freePort, startStack } from "@parley/dev-stack/stack";
import {
	encodeRecording,
	longSpeech,
	RECORDING_FORMATS,
	type RecordingFormat,
	SAMPLE_RATE,
} from "@parley/testing/recordings";
import { editDistance, spokenWords } from "@parley/testing/wer";

const { values, positionals } = parseArgs({
	options: { minutes: { type: "string", default: "60" } },
	allowPositionals: true,
});
const minutes = Number(values.minutes);
const wanted = (positionals.length > 0 ? positionals : RECORDING_FORMATS) as RecordingFormat[];
const unknown = wanted.filter((format) => !RECORDING_FORMATS.includes(format));
if (unknown.length > 0 || !(minutes > 0)) {
	console.error(`usage: npm run demo:batch -- [--minutes N] [${RECORDING_FORMATS.join("|")} …]`);
	process.exit(2);
}

const state = mkdtempSync(join(tmpdir(), "parley-demo-batch-"));
const speech = await startSpeech();
const stack = await startStack({
	state,
	port: await freePort(),
	settings: offlineEngine(speech.url),
});

try {
	const samples = longSpeech(await utterances(), minutes * 60);
	console.log(
		`${(samples.length / SAMPLE_RATE / 60).toFixed(1)} minutes of speech; the engine hears them in one piece …`,
	);
	const reference = await transcribeInOnePiece(await encodeRecording("mp3", samples));
	console.log(`… as ${reference.length} words. Now in pieces, format by format.\n`);
	const rows: Record<string, Record<string, string | number>> = {};
	for (const format of wanted) {
		rows[format] = await demonstrate(format, await encodeRecording(format, samples), reference);
		console.log(`${format} is done`);
	}
	console.table(rows);
	console.log(
		"“differs” counts words inserted, left out or replaced against the recording in one piece, as mp3.",
	);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await stack.stop();
	speech.stop();
	rmSync(state, { recursive: true, force: true });
}

async function demonstrate(format: RecordingFormat, file: Uint8Array, reference: string[]) {
	const path = join(state, `recording.${format}`);
	writeFileSync(path, file);
	const measured = execFileSync(process.execPath, [
		join(root, "packages/bench/src/measure-cutting.ts"),
		path,
	]);
	const { chunks, bytesRead, peakBytes, cpuSeconds }: Cutting = JSON.parse(String(measured));
	const startedAt = performance.now();
	const job = await transcribe(`recording.${format}`, file);
	const seconds = (performance.now() - startedAt) / 1000;
	const text = await call("GET", `/v1/batch/jobs/${job.job_id}/transcript?format=txt`);
	const words = spokenWords(String(text));
	rmSync(path);
	return {
		MB: round(file.length / 1e6),
		"read ÷ size": round(bytesRead / file.length, 2),
		"memory MB": round(peakBytes / 2 ** 20),
		"cpu s": round(cpuSeconds),
		chunks,
		"time s": round(seconds),
		coverage: job.output_metadata.coverage ?? "–",
		words: words.length,
		differs: editDistance(reference, words),
	};
}

type Job = {
	job_id: string;
	status: string;
	error_message: string | null;
	output_metadata: { coverage: number | null };
};

/** Presign, PUT, submit, wait. */
async function transcribe(filename: string, file: Uint8Array): Promise<Job> {
	const presigned = await call("POST", "/v1/batch/jobs", { mode: "presign", filename });
	const { url, s3_key, headers } = (
		presigned as { upload: { url: string; s3_key: string; headers: HeadersInit } }
	).upload;
	const put = await fetch(url, { method: "PUT", headers, body: new Uint8Array(file) });
	if (!put.ok) throw new Error(`The upload of ${filename} was answered ${put.status}: ${await put.text()}`);
	const { job_id } = (await call("POST", "/v1/batch/jobs", { s3_key })) as Job;
	for (;;) {
		const job = (await call("GET", `/v1/batch/jobs/${job_id}?wait=25`)) as Job;
		if (job.status === "DONE") return job;
		if (job.status === "FAILED") throw new Error(`${filename}: ${job.error_message}`);
	}
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
	const response = await fetch(stack.baseUrl + path, {
		method,
		headers: { "x-api-key": stack.keys.batch_key, ...(body && { "content-type": "application/json" }) },
		...(body && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
	return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

async function transcribeInOnePiece(file: Uint8Array): Promise<string[]> {
	const form = new FormData();
	form.set("file", new File([new Uint8Array(file)], "recording.mp3"));
	form.set("model", "pocketsphinx-en-us");
	form.set("response_format", "text");
	const response = await fetch(`${speech.url}/v1/audio/transcriptions`, { method: "POST", body: form });
	if (!response.ok) throw new Error(`The engine answered ${response.status}: ${await response.text()}`);
	return spokenWords(await response.text());
}

/** The fixtures' recordings of three voices. */
async function utterances(): Promise<Int16Array[]> {
	const folder = join(root, "packages/testing/fixtures/speech");
	const decoder = new WebAssembly.Module(readFileSync(join(root, "packages/decoder/assets/decoder.wasm")));
	const names = Array.from({ length: 20 }, (_, at) => `${String(at + 1).padStart(2, "0")}.flac`);
	const decoded: Int16Array[] = [];
	for (const name of ["minute.mp3", ...names]) {
		const audio = await openAudio(decoder, readFileSync(join(folder, name)));
		const blocks: number[] = [];
		for (let block = audio.read(); block; block = audio.read())
			for (const sample of block) blocks.push(sample);
		decoded.push(Int16Array.from(blocks));
	}
	return decoded;
}

function round(value: number, digits = 1): number {
	return Number(value.toFixed(digits));
}
