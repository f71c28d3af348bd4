import { expect, test } from "vitest";
import type { EditableWord } from "./edit.ts";
import { sentencesOf } from "./sentences.ts";

/** Words of half a second; a number is a pause of so many seconds. */
function spoken(text: string, extra: Partial<EditableWord> = {}): EditableWord[] {
	let clock = 0;
	return text.split(" ").flatMap((part) => {
		if (/^\d/.test(part)) {
			clock += Number(part);
			return [];
		}
		const word = { word: part, start: clock, end: clock + 0.5, confidence: 1, language: "en", ...extra };
		clock += 0.5;
		return [word];
	});
}

const texts = (words: EditableWord[]) => sentencesOf(words).map(({ text }) => text);

test("punctuated words end where their sentences end, not at every breath", () => {
	expect(texts(spoken("Well, 0.9 that is all. Is it? 3 I wonder 2.5 still"))).toEqual([
		"Well, that is all.",
		"Is it?",
		"I wonder",
		"still",
	]);
});

test("words without punctuation end at pauses", () => {
	expect(texts(spoken("we have your payment 0.7 the order 0.2 goes out on monday"))).toEqual([
		"we have your payment",
		"the order goes out on monday",
	]);
});

test("what goes on without end is cut at its longest pause", () => {
	const endless = `${"word ".repeat(20)}0.3 ${"word ".repeat(14)}`.trim();
	const sentences = sentencesOf(spoken(endless));
	expect(sentences.map(({ text }) => text.split(" ").length)).toEqual([20, 14]);
	const even = sentencesOf(spoken("word ".repeat(500).trim()));
	expect(even.every(({ text }) => text.length > 50 && text.length <= 120)).toBe(true);
	expect(even.flatMap(({ text }) => text.split(" "))).toHaveLength(500);
});

test("another speaker begins another sentence", () => {
	const words = spoken("yes 0.1 no").map((word, index) => ({ ...word, speaker: `S${index + 1}` }));
	expect(sentencesOf(words)).toEqual([
		{ text: "yes", start: 0, end: 0.5, speaker: "S1" },
		{ text: "no", start: 0.6, end: 1.1, speaker: "S2" },
	]);
});

test("channels that talk over each other keep their sentences whole, in time order", () => {
	const words = [...spoken("a b c", { channel: "agent" }), ...spoken("0.2 x y", { channel: "caller" })];
	words.sort((a, b) => a.start - b.start);
	expect(sentencesOf(words).map(({ text, channel }) => [channel, text])).toEqual([
		["agent", "a b c"],
		["caller", "x y"],
	]);
});

test("no words are no sentences", () => {
	expect(sentencesOf([])).toEqual([]);
});
