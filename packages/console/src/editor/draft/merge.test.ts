import { describe, expect, test } from "vitest";
import type { Paragraph } from "../../job/transcript/paragraphs.ts";
import { mergeDraft, mergeWords } from "./merge.ts";

const paragraph = (text: string, start: number, voice = ""): Paragraph => ({
	...{ voice, start, end: start + 10, text, words: [] },
});

describe("mergeWords", () => {
	test("changes of different words are both kept", () => {
		expect(mergeWords("a b c d e", "x b c d e", "a b c d y")).toBe("x b c d y");
		expect(mergeWords("a b c d e", "a c d e", "a b c d e f")).toBe("a c d e f");
	});

	test("the same change of both is made once", () => {
		expect(mergeWords("a b c", "a x c", "a x c")).toBe("a x c");
	});

	test("different changes of the same words are left to the reader", () => {
		expect(mergeWords("a b c", "a x c", "a y c")).toBeUndefined();
	});

	test("texts of a thousand words are merged too", () => {
		const base = Array.from({ length: 1_000 }, (_, at) => `w${at}`);
		const mine = base.with(3, "mine").join(" ");
		const theirs = base.with(990, "theirs").join(" ");
		expect(mergeWords(base.join(" "), mine, theirs)).toBe(base.with(3, "mine").with(990, "theirs").join(" "));
	});
});

describe("mergeDraft", () => {
	const before = [paragraph("a b", 0), paragraph("c d", 10)];

	test("a draft of a paragraph that nobody else changed moves with it", () => {
		const now = [paragraph("new", 0), paragraph("a b", 0.1), paragraph("c d", 10)];
		const { draft, conflicts } = mergeDraft(before, new Map([[1, "c x"]]), now);
		expect([...draft]).toEqual([[2, "c x"]]);
		expect(conflicts).toEqual([]);
	});

	test("a paragraph that both changed at the same place is a conflict with both texts", () => {
		const now = [paragraph("a y", 0), paragraph("c d", 10)];
		const { conflicts, draft } = mergeDraft(before, new Map([[0, "a x"]]), now);
		expect(conflicts).toMatchObject([{ place: 0, mine: "a x", theirs: "a y" }]);
		expect(draft.size).toBe(0);
	});

	test("a change that the other has saved too is done", () => {
		const now = [paragraph("a x", 0), paragraph("c d", 10)];
		expect(mergeDraft(before, new Map([[0, "a x"]]), now)).toEqual({
			draft: new Map(),
			conflicts: [],
			merged: 1,
		});
	});
});
