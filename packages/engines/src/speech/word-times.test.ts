import fc from "fast-check";
import { expect, test } from "vitest";
import { joinPieces, punctuate } from "./punctuation.ts";
import { type LooseWord, settleTimes, spreadWords } from "./word-times.ts";

const time = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
const loose = fc.record({
	word: fc.constantFrom("a", "of", "Hello", "twenty", ",", "“", " x", " y,", "..."),
	start: time,
	end: time,
	confidence: fc.constant(null),
});

test("settled times run forwards, whatever came in", () => {
	fc.assert(
		fc.property(fc.array(loose), fc.option(fc.double({ min: 0, max: 100, noNaN: true })), (words, until) => {
			const settled = settleTimes(words, until);
			settled.forEach((word, index) => {
				expect(word.end).toBeGreaterThanOrEqual(word.start);
				expect(word.start).toBeGreaterThanOrEqual(settled[index - 1]?.start ?? 0);
			});
		}),
	);
});

test("hundreds of thousands of words without times are settled in a moment", { timeout: 5000 }, () => {
	const untimed = { word: "a", start: null, end: null, confidence: null };
	const words: LooseWord[] = Array.from({ length: 300_000 }, (_, at) => ({
		...untimed,
		start: at === 0 ? 0 : null,
	}));
	expect(settleTimes(words, 100).at(-1)).toMatchObject({ end: 100 });
});

test("joining pieces loses and invents no character", () => {
	fc.assert(
		fc.property(fc.array(loose), (pieces) => {
			const letters = (words: readonly LooseWord[]) => words.map((word) => word.word.trim()).join("");
			const joined = joinPieces(pieces);
			if (joined.length > 0) expect(letters(joined)).toBe(letters(pieces));
		}),
	);
});

test("words cut out of a text get exactly that text back", () => {
	const token = fc.constantFrom("Hello", "a", "b2", "don't", "Zürich", "x");
	const gap = fc.constantFrom(" ", ", ", ". ", "-", "! “", "… ", " — ");
	fc.assert(
		fc.property(fc.array(fc.tuple(token, gap), { minLength: 1 }), (parts) => {
			const text = parts
				.map(([word, mark]) => word + mark)
				.join("")
				.replace(/\s+/g, " ")
				.trim();
			const words = parts.map(([word], index) => ({ word, start: index, end: index + 1, confidence: null }));
			expect(
				punctuate(words, text)
					.map((word) => word.word)
					.join(" "),
			).toBe(text);
		}),
	);
});

test("words of a segment share its time by their length", () => {
	expect(spreadWords({ start: 10, end: 20, text: "ab  cdefgh", speaker: "A" })).toEqual([
		{ word: "ab", start: 10, end: 12.5, confidence: null, speaker: "A" },
		{ word: "cdefgh", start: 12.5, end: 20, confidence: null, speaker: "A" },
	]);
	expect(spreadWords({ start: 0, end: 1, text: " " })).toEqual([]);
});
