import fc from "fast-check";
import { expect, test } from "vitest";
import { splitHallucinations } from "./hallucinations.ts";

const span = fc
	.tuple(fc.double({ min: 0, max: 60, noNaN: true }), fc.double({ min: 0, max: 8, noNaN: true }))
	.map(([start, seconds]) => ({ start, end: start + seconds }));

test("a word is hallucinated exactly if all of it lies half a second within one silence", () => {
	fc.assert(
		fc.property(fc.array(span, { maxLength: 20 }), fc.array(span, { maxLength: 8 }), (words, silent) => {
			const { kept, hallucinated } = splitHallucinations(words, silent);
			expect([...kept, ...hallucinated].sort((a, b) => a.start - b.start)).toEqual(
				[...words].sort((a, b) => a.start - b.start),
			);
			for (const word of hallucinated) {
				expect(silent.some((s) => s.start <= word.start - 0.5 && s.end >= word.end + 0.5)).toBe(true);
			}
			for (const word of kept) {
				expect(silent.some((s) => s.start + 0.5 <= word.start && s.end - 0.5 >= word.end)).toBe(false);
			}
		}),
	);
});
