import { expect, test } from "vitest";
import { toPieces, wordsToFind } from "./marks.ts";

test("a sentence is cut at its marked words, and nothing of it is lost", () => {
	const hit = {
		text: "we have received your payment",
		highlights: [
			[3, 7],
			[22, 29],
		] as [number, number][],
	};
	const pieces = toPieces(hit);
	expect(pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("")).toBe(
		"we [have] received your [payment]",
	);
	expect(pieces.map(({ text }) => text).join("")).toBe(hit.text);
	expect(toPieces({ text: "", highlights: [] })).toEqual([]);
});

test("the longest run of marked words is looked for in the transcript", () => {
	const text = "your payment and the order will be sent";
	const highlights: [number, number][] = [
		[0, 4],
		[17, 20],
		[21, 26],
	];
	expect(wordsToFind({ text, highlights })).toBe("the order");
	expect(wordsToFind({ text, highlights: [] })).toBe("");
});
