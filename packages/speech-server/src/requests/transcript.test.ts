import { expect, test } from "vitest";
import { toSegments, toText, type Word } from "./transcript.ts";

/** Words of 0.3 s with the given gap before each. */
function spoken(text: string, gapBefore: (index: number) => number = () => 0.05): Word[] {
	let end = 0;
	return text.split(" ").map((word, index) => {
		const start = end + gapBefore(index);
		end = start + 0.3;
		return { word, start, end, probability: 0.9 };
	});
}

const LONG = Array.from({ length: 200 }, (_, i) => `word${i}`).join(" ");

test("segments contain every word once, in order", () => {
	const words = spoken(LONG, (index) => ((index * 7919) % 10) / 10);
	expect(toSegments(words).flatMap((segment) => segment.words)).toEqual(words);
});

test("no segment exceeds two lines of text or seven seconds", () => {
	const segments = toSegments(spoken(LONG));
	expect(segments.length).toBeGreaterThan(10);
	for (const { start, end, text, words } of segments) {
		expect(end - start).toBeLessThanOrEqual(7);
		expect(text.length).toBeLessThanOrEqual(84);
		expect(text).toBe(toText(words));
		expect([start, end]).toEqual([words[0]!.start, words.at(-1)!.end]);
	}
});

test("a pause ends a segment", () => {
	const segments = toSegments(spoken("hello there how are you", (index) => (index === 2 ? 0.8 : 0)));
	expect(segments.map(({ text }) => text)).toEqual(["hello there", "how are you"]);
});

test("a segment that grows too long is cut at the longest pause", () => {
	const words = spoken(LONG.split(" ").slice(0, 16).join(" "), (index) => (index === 9 ? 0.4 : 0.02));
	expect(toSegments(words)[0]?.words).toHaveLength(9);
});

test("a word that is too long gets a segment of its own", () => {
	const word = { word: "a".repeat(200), start: 0, end: 9, probability: 1 };
	expect(toSegments([word, { ...word, start: 9, end: 18 }])).toHaveLength(2);
	expect(toSegments([])).toEqual([]);
});
