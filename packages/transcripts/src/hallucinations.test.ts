import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutInvented } from "./hallucinations.ts";

const span = fc
	.tuple(fc.double({ min: 0, max: 60, noNaN: true }), fc.double({ min: 0, max: 8, noNaN: true }))
	.map(([start, seconds]) => ({ start, end: start + seconds }));

test("a word goes only if all of it lies half a second within one silence", () => {
	fc.assert(
		fc.property(fc.array(span, { maxLength: 20 }), fc.array(span, { maxLength: 8 }), (words, silent) => {
			const { kept, invented } = withoutInvented(words, silent);
			expect([...kept, ...invented].sort((a, b) => a.start - b.start)).toEqual(
				[...words].sort((a, b) => a.start - b.start),
			);
			for (const word of invented) {
				expect(silent.some((s) => s.start <= word.start - 0.5 && s.end >= word.end + 0.5)).toBe(true);
			}
			for (const word of kept) {
				expect(silent.some((s) => s.start + 0.5 <= word.start && s.end - 0.5 >= word.end)).toBe(false);
			}
		}),
	);
});
