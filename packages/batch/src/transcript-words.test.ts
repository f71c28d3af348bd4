import { TranscriptResult } from "@parley/contracts/batch/transcript";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type TranscriptWord, toResults, wordsOf } from "./transcript-words.ts";

const word = (text: string, start = 1, end = 2): TranscriptWord => ({
	word: text,
	start,
	end,
	confidence: 0.9,
	language: "en",
});

const shapes = (words: TranscriptWord[]) =>
	toResults(words).map(({ type, attaches_to, is_eos, alternatives }) => [
		type,
		alternatives[0]?.content,
		attaches_to,
		is_eos,
	]);

test("punctuation after a word is a result of its own, at the word's end", () => {
	expect(shapes([word("Hello,"), word("world!")])).toEqual([
		["word", "Hello", undefined, undefined],
		["punctuation", ",", "previous", false],
		["word", "world", undefined, undefined],
		["punctuation", "!", "previous", true],
	]);
	expect(toResults([word("end.")])[1]).toMatchObject({ start_time: 2, end_time: 2 });
});

test("an opening mark is attached to the word after it", () => {
	expect(shapes([word("¿Qué?")])).toEqual([
		["punctuation", "¿", "next", false],
		["word", "Qué", undefined, undefined],
		["punctuation", "?", "previous", true],
	]);
});

test("marks inside a word and words of marks alone stay whole", () => {
	expect(shapes([word("3.5"), word("...")])).toEqual([
		["word", "3.5", undefined, undefined],
		["word", "...", undefined, undefined],
	]);
});

test("words come back from results as they went in", () => {
	const text = fc.oneof(
		fc.string({ minLength: 1, unit: "grapheme" }),
		fc.stringMatching(/^[¿¡]{0,2}[a-z.]{1,5}[.,!?…]{0,3}$/),
	);
	const anyWord = fc.record(
		{
			word: text.filter((value) => value !== ""),
			start: fc.double({ min: 0, max: 9, noNaN: true }),
			end: fc.double({ min: 9, max: 20, noNaN: true }),
			confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
			language: fc.option(fc.constant("en")),
			speaker: fc.constantFrom("S1", "S2"),
			channel: fc.constantFrom("agent", "caller"),
		},
		{ requiredKeys: ["word", "start", "end", "confidence", "language"] },
	);
	fc.assert(
		fc.property(fc.array(anyWord), (words) => {
			const results = toResults(words);
			expect(results.every((result) => TranscriptResult.safeParse(result).success)).toBe(true);
			expect(wordsOf(results)).toEqual(words);
		}),
	);
});
