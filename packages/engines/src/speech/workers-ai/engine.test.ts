import { describe, expect, test } from "vitest";
import { EngineError } from "../../transport/engine-error.ts";
import type { TranscribeHints } from "../speech-engine.ts";
import { KNOWN_MODELS, UNKNOWN_MODEL } from "../speech-models.ts";
import { workersAiSpeechEngine } from "./engine.ts";
import nova from "./fixtures/nova-3.json" with { type: "json" };
import whisper from "./fixtures/whisper.json" with { type: "json" };
import { fromNova } from "./transform.ts";

const WHISPER = "@cf/openai/whisper-large-v3-turbo";
const NOVA = "@cf/deepgram/nova-3";
const chunk = { bytes: new Uint8Array([1, 2, 3]), filename: "a.mp3", contentType: "audio/mpeg" };

/** Runs one chunk against a binding that answers as given; tells what the binding was given. */
async function run(model: typeof WHISPER | typeof NOVA, answer: unknown, hints: TranscribeHints = {}) {
	let input: Record<string, unknown> = {};
	const ai = {
		run: async (_: string, given: Record<string, unknown>) => {
			input = given;
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
	const capabilities = KNOWN_MODELS[model]?.capabilities ?? UNKNOWN_MODEL;
	const engine = workersAiSpeechEngine({ code: model, model, capabilities, timeoutSeconds: 5 }, ai);
	return { recognition: await engine.transcribe(chunk, hints), input };
}

describe("Whisper on Workers AI", () => {
	test("Whisper gets base64, and words in its segments are read", async () => {
		const hints = { language: "en-GB", additionalVocab: [{ content: "Wrangler" }] };
		const { recognition, input } = await run(WHISPER, whisper, hints);
		expect(input).toEqual({ audio: "AQID", language: "en", initial_prompt: "Wrangler" });
		expect(recognition).toMatchObject({ language: "en", durationSeconds: 3.1, text: "It is a good day." });
		expect(recognition.words.map((word) => word.word)).toEqual(["It", "is", "a", "good", "day."]);
		expect(recognition.words[4]).toMatchObject({ start: 1.1, end: 1.6 });
	});
});

describe("Nova-3 on Workers AI", () => {
	test("Nova-3 gets a stream with its type and the requested features", async () => {
		const { input } = await run(NOVA, nova, { diarization: "speaker", domain: "medical", language: "auto" });
		expect(input).toMatchObject({ diarize: true, detect_language: true, mode: "medical", punctuate: true });
		const { body, contentType } = input.audio as { body: ReadableStream<Uint8Array>; contentType: string };
		expect(contentType).toBe("audio/mpeg");
		expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(chunk.bytes);
	});

	test("punctuated words, speakers and utterances of Nova-3 are read", async () => {
		const { recognition } = await run(NOVA, nova, { diarization: "speaker" });
		expect(recognition.words[0]).toEqual({
			word: "Yeah.",
			start: 0.08,
			end: 0.32,
			confidence: 0.994,
			speaker: "0",
		});
		expect(recognition.segments[1]).toMatchObject({ start: 0.32, end: 2.8, speaker: "1" });
		expect(recognition).toMatchObject({ language: "en", durationSeconds: 6.5 });
	});

	test("channels are merged in time order and numbered", () => {
		const channel = (word: string, start: number) => ({
			alternatives: [{ transcript: word, words: [{ word, start, end: start + 0.5, confidence: 0.9 }] }],
		});
		const answer = { results: { channels: [channel("hello", 2), channel("hi", 1)] } };
		const { words } = fromNova(answer, { diarization: "channel", language: "en" });
		expect(words.map(({ word, channel: index }) => [word, index])).toEqual([
			["hi", 1],
			["hello", 0],
		]);
	});

	test("a response without results is a bad response", async () => {
		await expect(run(NOVA, { result: {} })).rejects.toMatchObject({ code: "engine_bad_response" });
		await expect(run(NOVA, null)).rejects.toMatchObject({ code: "engine_bad_response" });
	});
});

describe("errors of the binding", () => {
	test.each([
		["3040: Capacity temporarily exceeded, please try again.", "engine_rate_limited", true],
		["InferenceUpstreamError: 3007: Request timeout", "engine_timeout", true],
		["3006: Request is too large", "engine_rejected_audio", false],
		["5007: No such model @cf/x or task", "engine_rejected_request", false],
		["5016: User has not agreed to the model terms", "engine_unauthorized", false],
		["Network connection lost.", "engine_unavailable", true],
	])("the error %s maps to %s, retryable %s", async (text, code, retryable) => {
		const error = await run(WHISPER, new Error(text)).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(EngineError);
		expect(error).toMatchObject({ code, retryable });
	});

	test("a call of a model that never responds ends at the deadline", async () => {
		const ai = { run: () => new Promise(() => {}) };
		const settings = {
			code: "x",
			model: WHISPER,
			capabilities: UNKNOWN_MODEL,
			timeoutSeconds: 0.02,
		} as const;
		const call = workersAiSpeechEngine(settings, ai).transcribe(chunk, {});
		await expect(call).rejects.toMatchObject({ code: "engine_timeout" });
	});
});
