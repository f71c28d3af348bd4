import { describe, expect, test } from "vitest";
import { EngineError } from "../../transport/engine-error.ts";
import type { EngineFetch } from "../../transport/http.ts";
import type { AudioChunk, TranscribeHints } from "../speech-engine.ts";
import { UNKNOWN_MODEL } from "../speech-models.ts";
import { type OpenAiSpeechSettings, openAiSpeechEngine } from "./engine.ts";
import openai from "./fixtures/openai.json" with { type: "json" };

const chunk: AudioChunk = {
	bytes: new TextEncoder().encode("RIFFdata"),
	filename: "0007.wav",
	contentType: "audio/wav",
	durationSeconds: 8,
};

const settings: OpenAiSpeechSettings = {
	code: "openai/whisper-1",
	baseUrl: "https://engine.test/v1/",
	apiKey: "sk-very-secret",
	model: "whisper-1",
	operatingPoints: { standard: "whisper-small" },
	responseFormat: "verbose_json",
	acceptsVocabulary: false,
	capabilities: UNKNOWN_MODEL,
};

/** Sends one chunk to an engine that answers as given, and returns the form it received. */
async function formFor(hints: TranscribeHints, overrides: Partial<OpenAiSpeechSettings> = {}) {
	let seen: Request | undefined;
	const engine = openAiSpeechEngine({ ...settings, ...overrides }, async (request) => {
		seen = request.clone() as Request;
		return Response.json(openai);
	});
	await engine.transcribe(chunk, hints);
	if (!seen) throw new Error("the engine was not called");
	return { request: seen, form: await seen.formData() };
}

const failure = async (fetch: EngineFetch, hints: TranscribeHints = {}, timeoutSeconds = 5) => {
	const engine = openAiSpeechEngine({ ...settings, timeoutSeconds }, fetch);
	const error = await engine.transcribe(chunk, hints).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(EngineError);
	return error as EngineError;
};

describe("the request", () => {
	test("the request is OpenAI's multipart form, with the name and type of the file", async () => {
		const { request, form } = await formFor({ language: "en-GB" });
		expect(request.url).toBe("https://engine.test/v1/audio/transcriptions");
		expect(request.headers.get("authorization")).toBe("Bearer sk-very-secret");
		expect(form.get("model")).toBe("whisper-1");
		expect(form.get("language")).toBe("en");
		expect(form.get("response_format")).toBe("verbose_json");
		expect(form.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
		const file = form.get("file") as unknown as File;
		expect([file.name, file.type, await file.text()]).toEqual(["0007.wav", "audio/wav", "RIFFdata"]);
	});

	test("the request omits a language to be detected", async () => {
		const { form } = await formFor({ language: "auto" });
		expect(form.has("language")).toBe(false);
	});

	test("vocabulary is part of the prompt, or a field if the server accepts it", async () => {
		const additionalVocab = [{ content: "Wrangler", sounds_like: ["rang ler"] }];
		const prompted = await formFor({ additionalVocab });
		expect(prompted.form.get("prompt")).toBe("Wrangler");
		expect(prompted.form.has("additional_vocab")).toBe(false);
		const native = await formFor({ additionalVocab }, { acceptsVocabulary: true });
		expect(native.form.has("prompt")).toBe(false);
		expect(JSON.parse(native.form.get("additional_vocab") as string)).toEqual(additionalVocab);
	});

	test("the request names the model of the operating point", async () => {
		expect((await formFor({ operatingPoint: "standard" })).form.get("model")).toBe("whisper-small");
		expect((await formFor({ operatingPoint: "enhanced" })).form.get("model")).toBe("whisper-1");
	});

	test("a stream of audio is read completely", async () => {
		let size = 0;
		const engine = openAiSpeechEngine(settings, async (request) => {
			size = ((await request.formData()).get("file") as unknown as File).size;
			return Response.json(openai);
		});
		await engine.transcribe({ ...chunk, bytes: new Blob(["12345"]).stream() }, {});
		expect(size).toBe(5);
	});

	test("the request for a diarizing model asks for its format and has no prompt", async () => {
		const { form } = await formFor({ prompt: "hello" }, { responseFormat: "diarized_json" });
		expect(form.get("chunking_strategy")).toBe("auto");
		expect(form.has("prompt")).toBe(false);
		expect(form.has("timestamp_granularities[]")).toBe(false);
	});
});

describe("failures", () => {
	test.each([
		[400, "engine_rejected_audio", false],
		[401, "engine_unauthorized", false],
		[403, "engine_unauthorized", false],
		[404, "engine_rejected_request", false],
		[408, "engine_timeout", true],
		[409, "engine_unavailable", true],
		[413, "engine_rejected_audio", false],
		[425, "engine_unavailable", true],
		[429, "engine_rate_limited", true],
		[500, "engine_unavailable", true],
		[503, "engine_unavailable", true],
		[504, "engine_timeout", true],
		[302, "engine_rejected_request", false],
	])("status %i is %s, retryable %s", async (status, code, retryable) => {
		const error = await failure(async () => new Response("{}", { status }));
		expect([error.code, error.retryable]).toEqual([code, retryable]);
	});

	test("the engine's message about the audio is public and one line long", async () => {
		const body = {
			error: { message: "Invalid file format.\nSupported formats: …", type: "invalid_request_error" },
		};
		const error = await failure(async () => Response.json(body, { status: 400 }));
		expect(error.message).toBe(
			"The speech engine rejected the audio. Its reason: Invalid file format. Supported formats: …",
		);
	});

	test("a response that contains the key reveals no part of it, wherever it is cut", async () => {
		const message = `${"x".repeat(195)}${settings.apiKey}`;
		for (const body of [JSON.stringify({ error: { message } }), message]) {
			const error = await failure(async () => new Response(body, { status: 400 }));
			expect(`${error.message} ${error.detail}`).not.toContain("sk-");
		}
	});

	test("a response of only angle brackets is read within 5 s", { timeout: 5000 }, async () => {
		const error = await failure(async () => new Response("<".repeat(2_000_000), { status: 502 }));
		expect(error.code).toBe("engine_unavailable");
	});

	test("FastAPI's list of errors is read", async () => {
		const body = { detail: [{ loc: ["body", "file"], msg: "Field required" }] };
		const error = await failure(async () => Response.json(body, { status: 422 }));
		expect(error.message).toContain("Field required");
	});

	test("Retry-After is honoured in seconds, as a date and in milliseconds, up to a limit", async () => {
		const after = (headers: Record<string, string>) =>
			failure(async () => new Response("slow down", { status: 429, headers }));
		expect((await after({ "retry-after": "7" })).retryAfterMs).toBe(7000);
		expect((await after({ "retry-after": "7", "retry-after-ms": "250" })).retryAfterMs).toBe(250);
		expect((await after({ "retry-after": "999999" })).retryAfterMs).toBe(900_000);
		expect((await after({ "retry-after": new Date(0).toUTCString() })).retryAfterMs).toBe(0);
		expect((await after({ "retry-after": "soon" })).retryAfterMs).toBeUndefined();
	});

	test("an HTML page is reported by its title", async () => {
		const page = "<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>";
		const ok = await failure(async () => new Response(page, { headers: { "content-type": "text/html" } }));
		expect([ok.code, ok.retryable, ok.detail]).toEqual([
			"engine_bad_response",
			true,
			"not JSON: 502 Bad Gateway",
		]);
		const bad = await failure(async () => new Response(page, { status: 502 }));
		expect([bad.code, bad.message]).toEqual(["engine_unavailable", "The speech engine is not available."]);
	});

	test("a truncated response is a bad response", async () => {
		const half = JSON.stringify(openai).slice(0, 400);
		expect((await failure(async () => new Response(half))).code).toBe("engine_bad_response");
	});

	test("an endless response is cut off", async () => {
		const endless = () =>
			new ReadableStream({
				pull(controller) {
					controller.enqueue(new Uint8Array(1024 * 1024));
				},
			});
		expect((await failure(async () => new Response(endless()))).code).toBe("engine_bad_response");
	});

	test("a failed connection is retryable, and the key does not appear in the log", async () => {
		const error = await failure(async () => {
			throw new TypeError("fetch failed for key sk-very-secret");
		});
		expect([error.code, error.retryable]).toEqual(["engine_unavailable", true]);
		expect(error.detail).toBe("TypeError: fetch failed for key [secret]");
		expect(error.message).not.toContain("sk-");
	});

	const silent: EngineFetch = (request) =>
		new Promise((_, reject) => {
			request.signal.addEventListener("abort", () => reject(request.signal.reason));
		});

	test("a call of an engine that never responds ends at the deadline", async () => {
		expect((await failure(silent, {}, 0.02)).code).toBe("engine_timeout");
	});

	test("a call with an endless body ends at the deadline", async () => {
		const stalled: EngineFetch = async (request) =>
			new Response(
				new ReadableStream({
					start(controller) {
						request.signal.addEventListener("abort", () => controller.error(request.signal.reason));
					},
				}),
			);
		expect((await failure(stalled, {}, 0.02)).code).toBe("engine_timeout");
	});

	test("an abort by the caller is thrown as its reason", async () => {
		const cancelled = new Error("the job was cancelled");
		const engine = openAiSpeechEngine(settings, silent);
		const controller = new AbortController();
		const call = engine.transcribe(chunk, { signal: controller.signal });
		controller.abort(cancelled);
		await expect(call).rejects.toBe(cancelled);
	});
});
