import { describe, expect, test } from "vitest";
import type { Paragraph } from "../../job/transcript/paragraphs.ts";
import { addedInDraft, changedPart, NO_HISTORY, redo, toEdits, undo, wordsInDraft, write } from "./draft.ts";

/** A paragraph of words that are separated by one space. Their indexes begin at `first` and rise by `step`. */
function paragraph(text: string, first = 0, step = 1): Paragraph {
	const words = [...text.matchAll(/\S+/g)].map(({ 0: token, index }, at) => ({
		...{ index: first + at * step, start: at, end: at + 1, confidence: 1 },
		...{ from: index, to: index + token.length, tokenFrom: index, tokenTo: index + token.length },
	}));
	return { voice: "", start: 0, end: words.length, text, words };
}
const edit = (before: string, after: string) => toEdits([paragraph(before)], new Map([[0, after]]));

describe("toEdits", () => {
	test("only the words around a change are replaced", () => {
		expect(edit("the quick brown fox", "the quick red fox")).toEqual([{ start: 2, end: 3, text: "red" }]);
	});

	test("a letter at the end of a word changes that word", () => {
		expect(edit("one cat sat", "one cats sat")).toEqual([{ start: 1, end: 2, text: "cats" }]);
	});

	test("text at the end, at the beginning and in between is added", () => {
		expect(edit("a b", "a b c")).toEqual([{ start: 1, end: 2, text: "b c" }]);
		expect(edit("a b", "x a b")).toEqual([{ start: 0, end: 1, text: "x a" }]);
		expect(edit("a b", "a x b")[0]?.text).toContain("x");
	});

	test("words that are deleted leave an empty text or their neighbour", () => {
		const [only] = edit("one two three", "one three");
		expect(only && only.start <= 1 && only.end >= 2).toBe(true);
		expect(edit("one", "")).toEqual([{ start: 0, end: 1, text: "" }]);
	});

	test("two changes that are far apart are one range, which the server aligns", () => {
		expect(edit("a b c d e", "x b c d y")).toEqual([{ start: 0, end: 5, text: "x b c d y" }]);
	});

	test("blanks alone are no change", () => {
		expect(edit("a b", "a  b ")).toEqual([]);
	});

	test("edits of several paragraphs come in the order of their words", () => {
		const paragraphs = [paragraph("a b", 0), paragraph("c d", 2)];
		const edits = toEdits(
			paragraphs,
			new Map([
				[1, "c x"],
				[0, "y b"],
			]),
		);
		expect(edits.map(({ start }) => start)).toEqual([0, 3]);
	});

	test("words that alternate with those of another voice are replaced range by range", () => {
		expect(toEdits([paragraph("a b", 0, 2)], new Map([[0, "x y"]]))).toEqual([
			{ start: 0, end: 1, text: "x y" },
			{ start: 2, end: 3, text: "" },
		]);
	});

	test("any text in place of any other gives edits that lead from one to the other", () => {
		const vocabulary = ["a", "bb", "a,", "ccc", "bb."];
		let seed = 7;
		const random = (limit: number) => {
			seed = (seed * 48271) % 2147483647;
			return seed % limit;
		};
		const text = () =>
			Array.from({ length: 1 + random(7) }, () => vocabulary[random(vocabulary.length)]).join(" ");
		for (let round = 0; round < 2_000; round++) {
			const [before, after] = [text(), text()];
			const words = before.split(" ");
			for (const { start, end, text: put } of edit(before, after).toReversed())
				words.splice(start, end - start, ...put.split(" ").filter(Boolean));
			expect(words.join(" "), `${before} -> ${after}`).toBe(after);
		}
	});
});

describe("history", () => {
	const paragraphs = [paragraph("a b"), paragraph("c d")];
	const one = (place: number, text: string) => new Map([[place, text]]);

	test("typing in one paragraph is one step, and another paragraph begins the next", () => {
		let history = write(NO_HISTORY, paragraphs, one(0, "a bx"), 0);
		history = write(history, paragraphs, one(0, "a bxy"), 300);
		history = write(history, paragraphs, one(1, "c dz"), 600);
		expect([...undo(history).present]).toEqual([[0, "a bxy"]]);
		expect([...undo(undo(history)).present]).toEqual([]);
		expect([...redo(undo(history)).present]).toEqual([...history.present]);
	});

	test("what a command changes is a step of its own, even right after typing", () => {
		const typed = write(NO_HISTORY, paragraphs, one(0, "a bx"), 0);
		expect(undo(write(typed, paragraphs, one(0, "replaced"))).present.get(0)).toBe("a bx");
	});

	test("a paragraph that reads as before is no longer changed", () => {
		const history = write(write(NO_HISTORY, paragraphs, one(0, "x"), 0), paragraphs, one(0, "a b"), 9_000);
		expect(history.present.size).toBe(0);
		expect(undo(history).present.get(0)).toBe("x");
	});

	test("nothing is undone at the beginning and nothing redone at the end", () => {
		expect(undo(NO_HISTORY)).toEqual(NO_HISTORY);
		expect(redo(NO_HISTORY)).toEqual(NO_HISTORY);
	});
});

test("words after a change are highlighted where they are now", () => {
	const before = paragraph("one two three");
	const words = wordsInDraft(before, "one twenty-two three");
	expect(words.map(({ from, to }) => "one twenty-two three".slice(from, to))).toEqual(["one", "three"]);
});

test("the changed part says where the new text is", () => {
	const part = changedPart(paragraph("one two three"), "one twenty-two three");
	expect(part && "one twenty-two three".slice(part.from, part.to).trim()).toBe("twenty-two");
});

describe("marks of a draft", () => {
	const before = paragraph("the cat saw the other cat, and ran");
	const after = "the dog saw the other dog, and ran";

	test("two words that are replaced are marked, and those between them are not", () => {
		expect(addedInDraft(before, after).map(({ from, to }) => after.slice(from, to))).toEqual(["dog", "dog,"]);
	});

	test("words between two changes are still highlighted where they are", () => {
		const longer = "the horse saw the other horse, and ran";
		const words = wordsInDraft(before, longer);
		expect(words.map(({ from, to }) => longer.slice(from, to)).join(" ")).toBe("the saw the other and ran");
		expect(words.map(({ index }) => index)).toEqual([0, 2, 3, 4, 6, 7]);
	});

	test("words that are deleted leave no mark", () => {
		expect(addedInDraft(before, "the saw the other cat, and ran")).toEqual([]);
	});

	test("a blank more before a new word does not move its mark", () => {
		const spaced = "the cat  heard the other cat, and ran";
		expect(addedInDraft(before, spaced).map(({ from, to }) => spaced.slice(from, to))).toEqual(["heard"]);
	});
});
