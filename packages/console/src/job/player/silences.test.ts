import { expect, test } from "vitest";
import { findSilences } from "./silences.ts";

const second = (level: number) => Array<number>(20).fill(level);
const peaks = (...levels: number[]) => Uint8Array.from(levels.flatMap(second));

test("a stretch below the level of speech is silent, with a margin on both sides", () => {
	expect(findSilences([peaks(200, 2, 2, 200)], 20)).toEqual([{ start: 1.2, end: 2.8 }]);
});

test("a stretch is silent only when every channel is", () => {
	expect(findSilences([peaks(200, 0, 0, 0, 200), peaks(0, 0, 200, 0, 0)], 20)).toEqual([
		{ start: 1.2, end: 1.8 },
		{ start: 3.2, end: 3.8 },
	]);
});

test("short pauses stay, and silence at the end counts", () => {
	const half = [...second(200), ...second(0).slice(10), ...second(200), ...second(0), ...second(0)];
	expect(findSilences([Uint8Array.from(half)], 20)).toEqual([{ start: 2.7, end: 4.3 }]);
});

test("a recording that is silent throughout is one silence", () => {
	expect(findSilences([peaks(0, 0)], 20)).toEqual([{ start: 0.2, end: 1.8 }]);
});
