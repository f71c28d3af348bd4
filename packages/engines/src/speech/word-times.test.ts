import fc from "fast-check";
import { expect, test } from "vitest";
import { joinPieces, punctuate } from "./punctuation.ts";
import { fillTimes, type LooseWord, spreadWords } from "./word-times.ts";

const time = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
const loose = fc.record({
	word: fc.constantFrom("a", "of", "Hello", "twenty", ",", "“", " x", " y,", "..."),
	start: time,
	end: time,
	confidence: fc.constant(null),
});

test("filled times run forwards, whatever the input", () => {
	fc.assert(
		fc.property(fc.array(loose), fc.option(fc.double({ min: 0, max: 100, noNaN: true })), (words, until) => {
			const settled = fillTimes(words, until);
			settled.forEach((word, index) => {
				expect(word.end).toBeGreaterThanOrEqual(word.start);
				expect(word.start).toBeGreaterThanOrEqual(settled[index - 1]?.start ?? 0);
			});
		}),
	);
});

test("300,000 words without times are filled within 5 s", { timeout: 5000 }, () => {
	const untimed = { word: "a", start: null, end: null, confidence: null };
	const words: LooseWord[] = Array.from({ length: 300_000 }, (_, at) => ({
		...untimed,
		start: at === 0 ? 0 : null,
	}));
	expect(fillTimes(words, 100).at(-1)).toMatchObject({ end: 100 });
});

test("joining pieces neither loses nor adds a character", () => {
	fc.assert(
		fc.property(fc.array(loose), (pieces) => {
			const letters = (words: readonly LooseWord[]) => words.map((word) => word.word.trim()).join("");
			const joined = joinPieces(pieces);
			if (joined.length > 0) expect(letters(joined)).toBe(letters(pieces));
		}),
	);
});

test("words from a text get exactly the punctuation of that text", () => {
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

test("words of a segment share its time in proportion to their length", () => {
	expect(spreadWords({ start: 10, end: 20, text: "ab  cdefgh", speaker: "A" })).toEqual([
		{ word: "ab", start: 10, end: 12.5, confidence: null, speaker: "A" },
		{ word: "cdefgh", start: 12.5, end: 20, confidence: null, speaker: "A" },
	]);
	expect(spreadWords({ start: 0, end: 1, text: " " })).toEqual([]);
});
