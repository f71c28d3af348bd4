import { expect, test } from "vitest";
import { findHits, hitFrom } from "./find.ts";
import type { Paragraph } from "./paragraphs.ts";

const paragraph = (text: string): Paragraph => ({
	...{ voice: "", start: 0, end: 9, text },
	words: [...text.matchAll(/\S+/g)].map(({ 0: content, index }, at) => ({
		...{ index: at, start: at, end: at + 1, from: index, to: index + content.length },
		...{ tokenFrom: index, tokenTo: index + content.length, confidence: null },
	})),
});

test("case and accents do not matter, and each hit knows when it is spoken", () => {
	expect(findHits([paragraph("Die Tür, die TUR")], "tür")).toEqual([
		{ paragraph: 0, from: 4, to: 7, start: 1 },
		{ paragraph: 0, from: 13, to: 16, start: 3 },
	]);
});

test("an exact search tells letters apart", () => {
	expect(findHits([paragraph("Tur tur")], "tur", true)).toHaveLength(1);
});

test("letters whose lower case is longer do not move later hits", () => {
	const [hit] = findHits([paragraph("İİ “ﬁn” End")], "end");
	expect(hit && "İİ “ﬁn” End".slice(hit.from, hit.to)).toBe("End");
});

test("nothing is found for blanks", () => {
	expect(findHits([paragraph("a b")], "  ")).toEqual([]);
});

test("a search that found a sentence leads to its first hit, not to the first of the recording", () => {
	const hits = findHits([paragraph("yes no yes maybe yes")], "yes");
	expect(hits.map(({ start }) => start)).toEqual([0, 2, 4]);
	expect([hitFrom(hits, 0), hitFrom(hits, 1), hitFrom(hits, 4), hitFrom(hits, 9)]).toEqual([0, 1, 2, 0]);
});
