import { expect, test } from "vitest";
import { EMPTY_RECOGNITION } from "../chunks/chunk-result.ts";
import { mergeChannels } from "./recognise-channels.ts";

const spoken = (language: string, ...starts: number[]) => ({
	...EMPTY_RECOGNITION,
	language,
	words: starts.map((start) => ({ word: language, start, end: start + 0.5, confidence: null })),
	warnings: ["The engine is slow."],
});

test("words of all channels stand in time order, each in the language of its channel", () => {
	const merged = mergeChannels([spoken("en", 0, 2), spoken("de", 1), EMPTY_RECOGNITION], ["a", "b", ""]);
	expect(merged.words.map(({ word, channel, language }) => [word, channel, language])).toEqual([
		["en", 0, "en"],
		["de", 1, "de"],
		["en", 0, "en"],
	]);
	expect(merged).toMatchObject({ language: "en", warnings: ["The engine is slow."] });
});
