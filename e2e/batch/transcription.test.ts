import { type Loopback, startLoopback } from "@parley/testing/loopback";
import { wordErrorRate } from "@parley/testing/wer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, finished, speechFixture } from "./batch-client.ts";

type Sentence = { file: string; voice: string; text: string };
type Word = { type: string; start_time: number; end_time: number; alternatives: { content: string }[] };

const sentences: Sentence[] = JSON.parse(speechFixture("sentences.json").toString());
const first = sentences[0] as Sentence;

const transcript = (jobId: string, format: string) =>
	call<string>("GET", `/v1/batch/jobs/${jobId}/transcript?format=${format}`);

async function submitInline(file: string): Promise<string> {
	const { status, body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: speechFixture(file).toString("base64"),
		input_filename: file,
	});
	expect(status, JSON.stringify(body)).toBe(202);
	return body.job_id;
}

describe("real speech comes back as words", () => {
	let files: Loopback;

	beforeAll(async () => {
		files = await startLoopback((request, response) => {
			response.setHeader("content-type", "application/octet-stream");
			response.end(speechFixture(String(request.url).slice(1)));
		});
	});
	afterAll(() => files.stop());

	test("twenty sentences of three voices, with a word error rate under 0.15", async () => {
		const jobs = await Promise.all(
			sentences.map(async (sentence) => ({ sentence, id: await submitInline(sentence.file) })),
		);
		let errors = 0;
		for (const { sentence, id } of jobs) {
			const job = await finished(id);
			expect(job.status, JSON.stringify(job.error)).toBe("DONE");
			errors += wordErrorRate(sentence.text, (await transcript(id, "txt")).body);
		}
		expect(sentences.length).toBe(20);
		expect(errors / sentences.length).toBeLessThan(0.15);
	}, 180_000);

	test("inline, presigned and URL input give the same words", async () => {
		const audio = speechFixture(first.file);
		const inline = await submitInline(first.file);

		const presign = await call<{
			job_id: string;
			upload: { url: string; s3_key: string; headers: Record<string, string> };
		}>("POST", "/v1/batch/jobs", { mode: "presign", filename: first.file, content_type: "audio/flac" });
		expect(presign.status).toBe(200);
		const { job_id, upload } = presign.body;
		const put = await fetch(upload.url, {
			method: "PUT",
			body: new Uint8Array(audio),
			headers: upload.headers,
		});
		expect(put.status).toBe(200);
		const submitted = await call("POST", "/v1/batch/jobs", { job_id, s3_key: upload.s3_key });
		expect(submitted.status).toBe(202);
		expect(submitted.body).toMatchObject({ job_id, status: "QUEUED" });

		const byUrl = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
			input_url: `${files.url}/${first.file}`,
		});
		expect(byUrl.status).toBe(202);

		const texts: string[] = [];
		for (const id of [inline, job_id, byUrl.body.job_id]) {
			const job = await finished(id);
			expect(job.status, JSON.stringify(job.error)).toBe("DONE");
			texts.push((await transcript(id, "txt")).body);
		}
		expect(new Set(texts).size).toBe(1);
		expect(wordErrorRate(first.text, texts[0] ?? "")).toBeLessThan(0.5);
	});

	test("the four formats tell the same words, and word times are in order", async () => {
		const id = await submitInline(first.file);
		const job = await finished(id);
		const { duration_seconds } = job.input_metadata as { duration_seconds: number };
		const json = await call<{ results: Word[] }>("GET", `/v1/batch/jobs/${id}/transcript?format=json`);
		const words = json.body.results.filter(({ type }) => type === "word");
		let before = 0;
		for (const { start_time, end_time } of words) {
			expect(start_time).toBeGreaterThanOrEqual(before);
			expect(end_time).toBeGreaterThanOrEqual(start_time);
			expect(end_time).toBeLessThanOrEqual(duration_seconds + 0.05);
			before = start_time;
		}
		const plain = words.map(({ alternatives }) => alternatives[0]?.content).join(" ");
		expect(wordErrorRate(plain, (await transcript(id, "txt")).body)).toBe(0);
		const [srt, vtt] = [(await transcript(id, "srt")).body, (await transcript(id, "vtt")).body];
		expect(srt).toMatch(/^1\r?\n00:00:0\d,\d{3} --> 00:00:\d\d,\d{3}\r?\n/);
		expect(vtt).toMatch(/^WEBVTT\r?\n/);
		for (const subtitles of [srt, vtt]) {
			const cues = subtitles.split(/\r?\n/).filter((line) => line && !/^(WEBVTT|\d+)$|-->/.test(line));
			expect(wordErrorRate(plain, cues.join(" "))).toBe(0);
		}
	});

	test("a signed download is an attachment under the name of the input", async () => {
		const id = await submitInline(first.file);
		await finished(id);
		type File = { download_url: string; content_type: string; size_bytes: number };
		const { body } = await call<{ inputs: File[]; outputs: File[] }>("GET", `/v1/batch/jobs/${id}/files`);
		const names = [];
		for (const { download_url, content_type, size_bytes } of [...body.inputs, ...body.outputs]) {
			const { headers, ...response } = await fetch(download_url).then(async (response) => ({
				headers: response.headers,
				status: response.status,
				bytes: (await response.arrayBuffer()).byteLength,
			}));
			expect(response).toEqual({ status: 200, bytes: size_bytes });
			expect(headers.get("content-type")).toBe(content_type);
			names.push(headers.get("content-disposition"));
		}
		const stem = first.file.replace(".flac", "");
		const extensions = ["flac", "json", "txt", "srt", "vtt"];
		expect(names).toEqual(extensions.map((extension) => `attachment;filename="${stem}.${extension}"`));
	});

	test("audio that is none fails with a plain reason", async () => {
		const { body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
			input_base64: Buffer.from("<html>not audio</html>").toString("base64"),
			input_filename: "page.wav",
		});
		const job = await finished(body.job_id);
		expect(job).toMatchObject({ status: "FAILED", error: { retryable: false } });
		expect(job.error_message).toEqual(expect.stringMatching(/\w+/));
	});
});
