import { describe, expect, test } from "vitest";
import { EngineError } from "../../transport/engine-error.ts";
import diarized from "./fixtures/diarized.json" with { type: "json" };
import groq from "./fixtures/groq.json" with { type: "json" };
import openai from "./fixtures/openai.json" with { type: "json" };
import speaches from "./fixtures/speaches.json" with { type: "json" };
import speechServer from "./fixtures/speech-server.json" with { type: "json" };
import vllm from "./fixtures/vllm.json" with { type: "json" };
import whisperCpp from "./fixtures/whisper-cpp.json" with { type: "json" };
import { ESTIMATED_TIMES, MAX_PROMPT_CHARACTERS, toPrompt, toRecognition } from "./transform.ts";

const wordsOf = (answer: unknown) => toRecognition(answer).words.map((word) => word.word);

describe("responses of known servers", () => {
	test("words of OpenAI get the punctuation of the text, and its joined words", () => {
		const recognition = toRecognition(openai);
		expect(recognition.language).toBe("en");
		expect(recognition.durationSeconds).toBeCloseTo(8.47);
		expect(recognition.words.map((word) => word.word).join(" ")).toBe(openai.text);
		expect(recognition.words.at(-1)).toMatchObject({ word: "$5.50.", start: 6.5, end: 7.5 });
		expect(recognition.segments).toHaveLength(2);
		expect(recognition.wordTimesEstimated).toBe(false);
	});

	test("a capitalised language name of Groq maps to its code", () => {
		expect(toRecognition(groq)).toMatchObject({ language: "en", text: "Hello, how are you?", warnings: [] });
		expect(wordsOf(groq)).toEqual(["Hello,", "how", "are", "you?"]);
	});

	test("word pieces in segments of whisper.cpp become words", () => {
		expect(wordsOf(whisperCpp)).toEqual(["Hello,", "Kubernetes", "runs", "here."]);
		const [hello, kubernetes] = toRecognition(whisperCpp).words;
		expect(hello).toMatchObject({ start: 0.01, end: 0.43 });
		expect(kubernetes).toMatchObject({ start: 0.87, end: 1.55, confidence: 0.4 });
	});

	test("words of speaches with a leading space and a probability are read", () => {
		expect(toRecognition(speaches).words[0]).toEqual({
			word: "Well,",
			start: 0,
			end: 0.46,
			confidence: 0.91,
		});
	});

	test("words of vLLM are spread over the segments with a warning", () => {
		const recognition = toRecognition(vllm);
		expect(recognition.durationSeconds).toBe(17.653125);
		expect(recognition.wordTimesEstimated).toBe(true);
		expect(recognition.warnings).toEqual([ESTIMATED_TIMES]);
		expect(recognition.words.map((word) => word.word).join(" ")).toBe(vllm.text.trim());
		const bucket = recognition.words.at(-1);
		expect(bucket).toMatchObject({ word: "bucket.", end: 17.5, confidence: null });
		expect(recognition.words.find((word) => word.word === "Use")?.start).toBe(13);
	});

	test("probabilities and warnings of the local speech server are read", () => {
		const recognition = toRecognition(speechServer);
		expect(recognition.words[2]).toEqual({ word: "Kubernetes", start: 1.12, end: 1.9, confidence: 0.81 });
		expect(recognition.warnings).toEqual(['additional_vocab: no pronunciation for "netties"']);
	});

	test("words of OpenAI's diarized response get the speaker of their segment", () => {
		const recognition = toRecognition(diarized);
		expect(new Set(recognition.words.map((word) => `${word.word} ${word.speaker}`))).toContain("late. B");
		expect(recognition.segments[0]).toEqual({
			start: 0,
			end: 1.6,
			text: "Thanks for calling.",
			speaker: "A",
		});
	});
});

describe("unusual responses", () => {
	test("text alone becomes one segment over the whole audio", () => {
		const recognition = toRecognition({ text: "one two" }, { durationSeconds: 6 });
		expect(recognition.segments).toEqual([{ start: 0, end: 6, text: "one two" }]);
		expect(recognition.words.map(({ start, end }) => [start, end])).toEqual([
			[0, 3],
			[3, 6],
		]);
	});

	test("an empty text is a valid response", () => {
		expect(toRecognition({ text: "", segments: [], words: [] })).toMatchObject({ text: "", words: [] });
	});

	test("times may be strings, and missing ones are filled from the neighbours", () => {
		const { words } = toRecognition({
			text: "in 1984 we left",
			words: [
				{ word: "in", start: "0.5", end: "0.7" },
				{ word: "1984" },
				{ word: "we", start: 1.7, end: 1.9 },
				{ word: "left", start: 1.9, end: null },
			],
			duration: "2.5",
		});
		expect(words.map(({ start, end }) => [start, end])).toEqual([
			[0.5, 0.7],
			[0.7, 1.7],
			[1.7, 1.9],
			[1.9, 2.5],
		]);
	});

	test("words never run backwards", () => {
		const { words } = toRecognition({
			text: "a b",
			words: [
				{ word: "a", start: 2, end: 1 },
				{ word: "b", start: 1.5, end: 2.5 },
			],
		});
		expect(words.map(({ start, end }) => [start, end])).toEqual([
			[2, 2],
			[2, 2.5],
		]);
	});

	test("a response with too many words is rejected", () => {
		const words = Array.from({ length: 50_001 }, () => ({ word: "a", start: 0, end: 1 }));
		expect(() => wordsOf({ text: "a", words })).toThrow(EngineError);
	});

	test("words that are not in the text stay unchanged", () => {
		expect(wordsOf({ text: "Something else.", words: [{ word: "hello", start: 0, end: 1 }] })).toEqual([
			"hello",
		]);
	});

	test("words of scripts without spaces stay separate and get their punctuation", () => {
		const words = ["今日", "は", "晴れ"].map((word, index) => ({ word, start: index, end: index + 1 }));
		expect(wordsOf({ text: "今日は、晴れ。", words })).toEqual(["今日", "は、", "晴れ。"]);
	});

	test("a dash between spaces joins the word before it", () => {
		const words = ["yes", "no"].map((word, index) => ({ word, start: index, end: index + 1 }));
		expect(wordsOf({ text: "“Yes — no”", words })).toEqual(["“Yes —", "no”"]);
	});

	test.each([
		[{ error: "failed to process audio" }, "failed to process audio"],
		[{ error: { message: "model overloaded", type: "server_error" } }, "model overloaded"],
		[{ status: "ok" }, "no text"],
		["just text", "not a JSON object"],
		[null, "not a JSON object"],
	])("a response with status 200 and no transcript is rejected: %j", (answer, detail) => {
		expect(() => toRecognition(answer)).toThrow(EngineError);
		try {
			toRecognition(answer);
		} catch (error) {
			expect((error as EngineError).code).toBe("engine_bad_response");
			expect((error as EngineError).detail).toContain(detail);
		}
	});
});

describe("prompts", () => {
	test("the vocabulary is at the end of the prompt, and a long context is shortened for it", () => {
		const { prompt } = toPrompt("x".repeat(2000), [{ content: "Wrangler" }, { content: "zwieback" }]);
		expect(prompt).toMatch(/^x+ Wrangler, zwieback$/);
		expect(prompt).toHaveLength(MAX_PROMPT_CHARACTERS);
	});

	test("unused pronunciations cause a warning", () => {
		expect(toPrompt(undefined, [{ content: "Kubernetes", sounds_like: ["cooper net ease"] }])).toEqual({
			prompt: "Kubernetes",
			warnings: [expect.stringContaining("sounds_like")],
		});
		expect(toPrompt(undefined, [])).toEqual({ prompt: undefined, warnings: [] });
	});
});
