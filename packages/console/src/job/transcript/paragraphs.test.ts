import type { TranscriptResult } from "@parley/contracts/batch/transcript";
import { describe, expect, test } from "vitest";
import { toReading, voiceName, wordAt, wordAtOffset } from "./paragraphs.ts";

type Given = Partial<TranscriptResult> & { speaker?: string };
const word = (content: string, start: number, end: number, more: Given = {}): TranscriptResult => ({
	...{ type: "word", start_time: start, end_time: end },
	alternatives: [
		{ content, confidence: 0.9, language: "en", ...(more.speaker && { speaker: more.speaker }) },
	],
	...more,
});
const mark = (
	content: string,
	at: number,
	attaches_to?: TranscriptResult["attaches_to"],
): TranscriptResult => ({
	...{ type: "punctuation", start_time: at, end_time: at, ...(attaches_to && { attaches_to }) },
	alternatives: [{ content, confidence: 1, language: "en" }],
});
const textsOf = (results: TranscriptResult[]) => toReading(results).paragraphs.map(({ text }) => text);

describe("toReading", () => {
	test("punctuation attaches to the side that it names and is no word", () => {
		const { paragraphs, places } = toReading([
			mark("“", 0, "next"),
			word("well", 0, 1),
			mark("-", 1, "both"),
			word("known", 1, 2),
			mark(".", 2),
			mark("”", 2, "previous"),
			word("Yes", 2, 3),
		]);
		expect(paragraphs[0]?.text).toBe("“well-known.” Yes");
		expect(places).toHaveLength(3);
		const [first, second] = paragraphs[0]?.words ?? [];
		expect(paragraphs[0]?.text.slice(first?.from, first?.to)).toBe("well");
		expect(paragraphs[0]?.text.slice(second?.tokenFrom, second?.tokenTo)).toBe("known.”");
	});

	test("a change of speaker begins a paragraph", () => {
		const results = [
			word("yes", 0, 1, { speaker: "S1" }),
			word("no", 1, 2, { speaker: "S2" }),
			word("well", 2, 3, { speaker: "S1" }),
		];
		expect(textsOf(results)).toEqual(["yes", "no", "well"]);
		expect(toReading(results).voices).toEqual(["S1", "S2"]);
	});

	test("a channel that is interrupted by another keeps its paragraph", () => {
		const results = [
			word("I", 0, 1, { channel: "a" }),
			word("think", 1, 2, { channel: "a" }),
			word("mhm", 1.2, 1.5, { channel: "b" }),
			word("so", 2, 3, { channel: "a" }),
		];
		expect(textsOf(results)).toEqual(["I think so", "mhm"]);
	});

	test("a long pause begins a paragraph", () => {
		expect(textsOf([word("one", 0, 1), word("two", 9, 10)])).toEqual(["one", "two"]);
	});

	test("a paragraph without any pause or sentence end ends at 140 words", () => {
		const results = Array.from({ length: 300 }, (_, at) => word("a", at, at + 1));
		expect(toReading(results).paragraphs.map(({ words }) => words.length)).toEqual([140, 140, 20]);
	});

	test("scripts without spaces are joined without spaces", () => {
		expect(textsOf([word("東京", 0, 1), word("都", 1, 2)])).toEqual(["東京都"]);
	});

	test("a word with line breaks, markup or nothing in it stays one harmless word", () => {
		const { paragraphs, places } = toReading([
			word("<script>alert(1)</script>", 0, 1),
			word("a\n\u0000b", 1, 2),
			word("", 2, 3),
			word("c", 3, 4),
		]);
		expect(paragraphs[0]?.text.split(" ")).toHaveLength(5);
		expect(paragraphs[0]?.text).toContain("<script>alert(1)</script> a b");
		expect(places).toHaveLength(4);
	});

	test("starts never fall, so that the spoken word can be searched", () => {
		const { starts } = toReading([word("a", 2, 3), word("b", 1, 2), word("c", 4, 5)]);
		expect([...starts]).toEqual([2, 2, 4]);
	});
});

test("wordAt returns the last word that has begun", () => {
	const starts = Float64Array.of(1, 2, 4);
	expect([0.5, 1, 3.9, 4, 99].map((time) => wordAt(starts, time))).toEqual([-1, 0, 1, 2, 2]);
});

test("wordAtOffset finds a word by any of its letters and its punctuation", () => {
	const [paragraph] = toReading([word("well", 0, 1), mark(",", 1), word("yes", 1, 2)]).paragraphs;
	if (!paragraph) throw new Error("There is no paragraph");
	expect([0, 3, 5, 7, 99].map((at) => wordAtOffset(paragraph, at)?.index)).toEqual([0, 0, 0, 1, 1]);
});

test("voiceName makes an engine's labels readable and keeps names", () => {
	expect(["S1", "channel_2", "Ada", "UU"].map(voiceName)).toEqual([
		"Speaker 1",
		"Channel 2",
		"Ada",
		"Unknown speaker",
	]);
});
