import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { monoWave, type Recording, recording, recordings } from "@parley/decoder/recordings.fixture";
import { wordErrorRate } from "@parley/testing/wer";
import { afterAll, expect, test } from "vitest";
import { ThreadFailure } from "./recognition/call-thread.ts";
import { createSpeechServer, type SpeechServer, type SpeechServerOptions } from "./server.ts";

const servers: SpeechServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(options: Partial<SpeechServerOptions> = {}) {
	const defaults = { threads: 2, maxQueued: 32, maxBodyBytes: 2 ** 24, stepTimeoutMs: 60_000 };
	const server = await createSpeechServer({ ...defaults, ...options });
	servers.push(server);
	server.http.listen(0, "127.0.0.1");
	await once(server.http, "listening");
	const url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
	const post = (form: FormData, signal?: AbortSignal) =>
		fetch(`${url}/v1/audio/transcriptions`, { method: "POST", body: form, signal });
	const health = async () => (await fetch(`${url}/health`)).json();
	return { server, url, post, health };
}

function form(
	{ bytes, file }: Pick<Recording, "bytes" | "file">,
	fields: Record<string, string> = { response_format: "verbose_json" },
): FormData {
	const data = new FormData();
	data.set("file", new File([bytes], file));
	for (const [name, value] of Object.entries(fields)) data.set(name, value);
	return data;
}

interface VerboseJson {
	duration: number;
	text: string;
	words: { word: string; start: number; end: number; probability: number }[];
	segments: { id: number; start: number; end: number; text: string; avg_logprob: number }[];
	warnings: string[];
}

const { post, url } = await start();
const transcribed = async (
	file: Pick<Recording, "bytes" | "file">,
	fields?: Record<string, string>,
): Promise<VerboseJson> => (await post(form(file, { response_format: "verbose_json", ...fields }))).json();
const rejected = async (data: FormData) => {
	const response = await post(data);
	return { status: response.status, error: (await response.json()).error };
};

test("twenty sentences of three voices are recognised", async () => {
	const sentences = recordings("sentences");
	const recognised = await Promise.all(sentences.map((sentence) => transcribed(sentence)));
	const text = (parts: { text: string }[]) => parts.map((part) => part.text).join(" ");
	expect(wordErrorRate(text(sentences), text(recognised))).toBeLessThan(0.15);
	for (const voice of ["rms", "slt", "awb"]) {
		const by = (_: unknown, index: number) => sentences[index]?.voice === voice;
		expect(wordErrorRate(text(sentences.filter(by)), text(recognised.filter(by)))).toBeLessThan(0.2);
	}
});

test("a minute is divided, spread over the threads and joined in order", async () => {
	const minute = recording("minute");
	const { text, duration, words, segments, warnings } = await transcribed(minute);
	expect(wordErrorRate(minute.text, text)).toBeLessThan(0.12);
	expect(duration).toBeGreaterThan(55);
	expect(duration).toBeLessThan(65);
	expect(words.map(({ word }) => word).join(" ")).toBe(text);
	let last = 0;
	for (const { start, end, probability } of words) {
		expect(start).toBeGreaterThanOrEqual(last);
		expect(end).toBeGreaterThan(start);
		expect(probability).toBeGreaterThanOrEqual(0);
		last = end;
	}
	expect(last).toBeLessThanOrEqual(duration);
	expect(segments.map((segment) => segment.text).join(" ")).toBe(text);
	expect(segments.map(({ id }) => id)).toEqual(segments.map((_, index) => index));
	expect(warnings).toEqual([]);
});

test("every format has the same words", async () => {
	const clips = recordings("formats");
	const recognised = await Promise.all(clips.map((clip) => transcribed(clip)));
	for (const { text } of recognised) expect(wordErrorRate(clips[0]!.text, text)).toBeLessThan(0.1);
});

test("silence has no words", async () => {
	const silence = { file: "silence.wav", bytes: monoWave(new Int16Array(16_000 * 20)) };
	const response = await transcribed(silence);
	expect(response).toMatchObject({ text: "", words: [], segments: [], duration: 20 });
	const hiss = Int16Array.from({ length: 16_000 * 3 }, (_, i) => (i % 3) * 4 - 4);
	expect(await transcribed({ file: "hiss.wav", bytes: monoWave(hiss) })).toMatchObject({
		text: "",
		words: [],
	});
});

test("words of the request's vocabulary are recognised and spelled as given", async () => {
	const clip = recording("vocabulary");
	const { text, words, warnings } = await transcribed(clip, {
		additional_vocab: JSON.stringify([
			{ content: "Parley" },
			{ content: "Cloudflare", sounds_like: ["cloud flair"] },
			{ content: "Zwieback" },
			{ content: "東京" },
		]),
	});
	expect(text).toContain("Parley");
	expect(words.map(({ word }) => word)).toContain("Cloudflare");
	expect(warnings).toEqual([expect.stringContaining('"zwieback"'), expect.stringContaining('"東京"')]);
	const without = await transcribed(clip);
	expect(without.text).not.toMatch(/parley|cloudflare/i);
});

test("the response has the requested format", async () => {
	const response = async (format?: string) => {
		const response = await post(form(recording("formats"), format ? { response_format: format } : {}));
		return { type: response.headers.get("content-type"), body: await response.text() };
	};
	expect(JSON.parse((await response()).body)).toMatchObject({ text: expect.stringContaining("payment") });
	expect(await response("text")).toMatchObject({
		type: "text/plain; charset=utf-8",
		body: expect.stringMatching(/^we have/),
	});
	expect((await response("srt")).body).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nwe have/);
	expect(await response("vtt")).toMatchObject({
		type: "text/vtt; charset=utf-8",
		body: expect.stringMatching(/^WEBVTT\n\n00:/),
	});
});

test("any tag for English is accepted, and other languages are rejected", async () => {
	const clip = { file: "silence.wav", bytes: monoWave(new Int16Array(1600)) };
	for (const language of ["en", "en-GB", "EN_us", "auto", "none"])
		expect(
			(await post(form(clip, { language, model: "pocketsphinx-en-us", prompt: "ignored" }))).status,
		).toBe(200);
	for (const language of ["de", "english-ish", "fr-en"])
		expect(await rejected(form(clip, { language }))).toMatchObject({
			status: 400,
			error: { type: "invalid_request_error", param: "language", code: "unsupported_language" },
		});
});

test("a file that is not audio is rejected by name", async () => {
	const garbage = { file: "notes.mp3", bytes: new TextEncoder().encode("these are notes\n".repeat(1000)) };
	expect(await rejected(form(garbage))).toEqual({
		status: 400,
		error: {
			message: 'could not decode "notes.mp3" as audio: it contains no supported audio',
			type: "invalid_request_error",
			param: "file",
			code: "undecodable_audio",
		},
	});
	expect(await rejected(form({ file: "empty.wav", bytes: new Uint8Array() }))).toMatchObject({ status: 400 });
});

test("invalid fields are rejected, each by its name", async () => {
	const clip = recording("formats");
	const noFile = new FormData();
	noFile.set("file", "text");
	expect(await rejected(noFile)).toMatchObject({ status: 400, error: { param: "file" } });
	for (const [param, value] of [
		["response_format", "xml"],
		["timestamp_granularities[]", "phone"],
		["additional_vocab", "{"],
		["additional_vocab", '[{"sounds_like":["x"]}]'],
		["additional_vocab", '[{"content":"x","sounds_like":"x"}]'],
		["additional_vocab", JSON.stringify(Array(1001).fill({ content: "x" }))],
	] as const)
		expect(await rejected(form(clip, { [param]: value }))).toMatchObject({ status: 400, error: { param } });
	expect(await rejected(form(clip, { model: "whisper-1" }))).toMatchObject({
		status: 404,
		error: { code: "model_not_found" },
	});
});

test("unknown paths, methods and bodies are rejected in OpenAI's format", async () => {
	const transcriptions = `${url}/v1/audio/transcriptions`;
	const get = await fetch(transcriptions);
	expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
	expect((await fetch(`${url}/v1/audio/translations`, { method: "POST" })).status).toBe(404);
	expect((await fetch(`${url}/constructor`)).status).toBe(404);
	const plain = await fetch(transcriptions, { method: "POST", body: "hello" });
	expect([plain.status, (await plain.json()).error.type]).toEqual([400, "invalid_request_error"]);
	const headers = { "content-type": "multipart/form-data; boundary=x" };
	expect((await fetch(transcriptions, { method: "POST", headers, body: "hello" })).status).toBe(400);
});

test("the models and the health are reported", async () => {
	const models = await (await fetch(`${url}/v1/models`)).json();
	expect(models).toMatchObject({ object: "list", data: [{ id: "pocketsphinx-en-us", object: "model" }] });
	const health = await (await fetch(`${url}/health`)).json();
	expect(health).toEqual({ status: "ok", model: "pocketsphinx-en-us", threads: 2, active: 0, queued: 0 });
});

test("a body over the limit is rejected, with or without a Content-Length", async () => {
	const small = await start({ threads: 1, maxBodyBytes: 100_000 });
	const large = { file: "large.wav", bytes: new Uint8Array(200_000) };
	expect((await small.post(form(large))).status).toBe(413);
	const { body, headers } = new Response(form(large));
	const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
	const chunked = await fetch(`${small.url}/v1/audio/transcriptions`, init);
	expect([chunked.status, (await chunked.json()).error.code]).toEqual([413, "body_too_large"]);
	expect((await small.post(form(recording("formats", "clip.opus")))).status).toBe(200);
});

/** Returns ten minutes of MP3, whose files can be concatenated. */
function tenMinutes() {
	const { bytes } = recording("minute");
	const joined = new Uint8Array(bytes.length * 10);
	for (let i = 0; i < 10; i++) joined.set(bytes, bytes.length * i);
	return { file: "ten.mp3", bytes: joined };
}

test("requests beyond the queue get a Retry-After until a client disconnects", async () => {
	const busy = await start({ threads: 1, maxQueued: 1 });
	const [running, waiting] = [new AbortController(), new AbortController()];
	const first = busy.post(form(tenMinutes()), running.signal);
	await expect.poll(busy.health).toMatchObject({ active: 1, queued: 0 });
	const second = busy.post(form(tenMinutes()), waiting.signal);
	await expect.poll(busy.health).toMatchObject({ active: 1, queued: 1 });

	const third = await busy.post(form(recording("formats")));
	expect([third.status, third.headers.get("retry-after")]).toEqual([503, "5"]);
	expect((await third.json()).error).toMatchObject({ type: "server_error", code: "queue_full" });

	waiting.abort();
	await expect(second).rejects.toThrow();
	await expect.poll(busy.health).toMatchObject({ active: 1, queued: 0 });
	running.abort();
	await expect(first).rejects.toThrow();
	await expect.poll(busy.health).toMatchObject({ active: 0, queued: 0 });
	expect((await busy.post(form(recording("formats")))).status).toBe(200);
});

test("a short request finishes before an earlier long one, which stays complete", async () => {
	const busy = await start({ threads: 1 });
	const minute = recording("minute");
	const finished: string[] = [];
	const long = busy.post(form(minute)).finally(() => finished.push("long"));
	await expect.poll(busy.health).toMatchObject({ active: 1 });
	const short = await busy.post(form(recording("formats"))).finally(() => finished.push("short"));
	expect((await short.json()).text).toContain("payment");
	const { text, words }: VerboseJson = await (await long).json();
	expect(wordErrorRate(minute.text, text)).toBeLessThan(0.12);
	expect(words.map(({ start }) => start)).toEqual(words.map(({ start }) => start).sort((a, b) => a - b));
	expect(finished).toEqual(["short", "long"]);
});

test("a crash of the threads fails only their current requests", async () => {
	const logged: unknown[] = [];
	const crashing = await start({ threads: 1, log: (error) => logged.push(error) });
	const running = crashing.post(form(tenMinutes()));
	let isAnswered = false;
	running.then(() => {
		isAnswered = true;
	});
	const crash = async () => {
		await crashing.server.pool.close();
		return isAnswered;
	};
	await expect.poll(crash).toBe(true);
	const failed = await running;
	expect([failed.status, (await failed.json()).error.type]).toEqual([500, "server_error"]);
	expect(logged).toEqual([expect.any(ThreadFailure)]);
	expect((await crashing.post(form(recording("formats")))).status).toBe(200);
});
