import type { OpenAiModelList } from "@parley/contracts/platform/speech";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { silentWav } from "../../test/silent-wav.ts";

const wav = silentWav(0.1);
const { call } = await createClient();

function transcribe<T = Record<string, unknown>>(fields: Record<string, string | string[]>) {
	const form = new FormData();
	form.append("file", new File([wav], "clip.wav"));
	for (const [name, values] of Object.entries(fields))
		for (const value of [values].flat()) form.append(name, value);
	return call<T>("POST", "/v1/audio/transcriptions", form);
}

test("json is the default", async () => {
	expect(await transcribe({ model: "parley/local" })).toMatchObject({
		status: 200,
		body: { text: "hello world", usage: { type: "duration", seconds: 2 } },
	});
});

test("text, SRT and WebVTT are plain", async () => {
	const format = async (response_format: string) => {
		const answer = await transcribe<string>({ model: "parley/local", response_format });
		return [answer.headers.get("content-type"), answer.body];
	};
	expect(await format("text")).toEqual(["text/plain; charset=utf-8", "hello world\n"]);
	const [srtType, srt] = await format("srt");
	expect(srtType).toBe("text/plain; charset=utf-8");
	expect(srt).toMatch(/^1\r\n00:00:00,100 --> 00:00:01,100\r\nhello world/);
	const [vttType, vtt] = await format("vtt");
	expect(vttType).toBe("text/vtt; charset=utf-8");
	expect(vtt).toMatch(/^WEBVTT\n/);
});

test("a stream is the text in events of OpenAI's", async () => {
	const { headers, body } = await transcribe<string>({ model: "parley/local", stream: "true" });
	expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
	const events = body.split("\n\n").filter(Boolean);
	expect(events.map((event) => JSON.parse(event.split("\ndata: ")[1] ?? ""))).toEqual([
		{ type: "transcript.text.delta", delta: "hello world" },
		{ type: "transcript.text.done", text: "hello world", usage: { type: "duration", seconds: 2 } },
	]);
});

test("verbose JSON holds segments, words, or both, as asked for", async () => {
	const verbose = async (granularities?: string[]) => {
		const fields = { model: "parley/local", response_format: "verbose_json" };
		const { body } = await transcribe(
			granularities ? { ...fields, "timestamp_granularities[]": granularities } : fields,
		);
		return body;
	};
	const segments = [
		expect.objectContaining({ id: 0, seek: 0, start: 0, end: 1.25, text: "hello world", tokens: [] }),
	];
	const words = [
		{ word: "hello", start: 0.1, end: 0.5 },
		{ word: "world", start: 0.6, end: 1.1 },
	];
	expect(await verbose()).toMatchObject({
		task: "transcribe",
		language: "english",
		duration: 1.25,
		segments,
	});
	expect(await verbose()).not.toHaveProperty("words");
	expect(await verbose(["word"])).toMatchObject({ words });
	expect(await verbose(["word"])).not.toHaveProperty("segments");
	expect(await verbose(["word", "segment"])).toMatchObject({ words, segments });
});

test("whisper-1 is the default model, and fields of OpenAI that mean nothing here are let by", async () => {
	const fields = { model: "whisper-1", temperature: "0", "include[]": "logprobs" };
	expect((await transcribe(fields)).status).toBe(200);
	expect(await transcribe({ model: "gpt-4o-transcribe" })).toMatchObject({ status: 404 });
});

test("a missing model or a wrong format is refused by name", async () => {
	expect(await transcribe({})).toMatchObject({
		status: 422,
		body: { error: { fields: [{ path: "model" }] } },
	});
	expect(await transcribe({ model: "parley/local", response_format: "xml" })).toMatchObject({
		status: 422,
		body: { error: { fields: [{ path: "response_format" }] } },
	});
	expect(await call("POST", "/v1/audio/transcriptions", { model: "parley/local" })).toMatchObject({
		status: 415,
	});
});

test("models are listed as OpenAI does", async () => {
	const { body } = await call<OpenAiModelList>("GET", "/v1/models");
	expect(body.object).toBe("list");
	expect(body.data.map(({ id }) => id)).toEqual(["parley/local", "acme/whisper:large", "acme/voice:1"]);
	expect(await call("GET", "/v1/models/acme/whisper:large")).toMatchObject({
		status: 200,
		body: { id: "acme/whisper:large", object: "model", owned_by: "acme" },
	});
	expect(await call("GET", "/v1/models/none")).toMatchObject({ status: 404 });
});
