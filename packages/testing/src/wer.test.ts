import { expect, test } from "vitest";
import { editDistance, spokenWords, wordErrorRate } from "./wer.ts";

test("case, punctuation and ways of writing numbers make no error", () => {
	expect(wordErrorRate("Well, it costs $25 at 9.", "well it costs twenty five dollars at nine")).toBe(0);
	expect(wordErrorRate("I don’t know: twenty-five!", "I don't know 25")).toBe(0);
});

test("numbers are written out as they are said", () => {
	expect(spokenWords("0 13 40 342 1,205 3.14 007 2,000,016 5%").join(" ")).toBe(
		"zero thirteen forty three hundred forty two one thousand two hundred five three point one four " +
			"zero zero seven two million sixteen five percent",
	);
});

test("substitutions, deletions and insertions count alike, for each word of the reference", () => {
	expect(wordErrorRate("a b c d", "a x c d")).toBe(0.25);
	expect(wordErrorRate("a b c d", "a c d")).toBe(0.25);
	expect(wordErrorRate("a b c d", "a b b c d")).toBe(0.25);
	expect(wordErrorRate("a b c d", "")).toBe(1);
});

test("an empty reference is met only by silence", () => {
	expect(wordErrorRate("", " … ")).toBe(0);
	expect(wordErrorRate("", "two words")).toBe(2);
});

test("the distance is the same both ways, and never more than the longer list", () => {
	const lists = [[], ["a"], ["a", "b", "a"], ["b", "a", "b", "c"], ["c", "c"]];
	for (const one of lists)
		for (const other of lists) {
			expect(editDistance(one, other)).toBe(editDistance(other, one));
			expect(editDistance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
			expect(editDistance(one, other) === 0).toBe(one.join() === other.join());
		}
});
