import { editDistance } from "@parley/testing/wer";
import { expect, test } from "vitest";
import { loadPronunciations } from "../assets.ts";
import { guessPhones } from "./letter-to-sound.ts";

test("new names get the phones of their usual reading", () => {
	expect(guessPhones("wrangler")).toBe("R AE NG L ER");
	expect(guessPhones("cloudflare")).toBe("K L AW D F L EH R");
	expect(guessPhones("hono")).toBe("HH OW N OW");
});

test("three in four phones of dictionary words are guessed correctly, and every phone exists", () => {
	const words = [...loadPronunciations()].filter(
		([word], index) => index % 50 === 0 && /^[a-z]{4,}$/.test(word),
	);
	const known = new Set(words.flatMap(([, phones]) => phones.split(" ")));
	let total = 0;
	let wrong = 0;
	for (const [word, phones] of words) {
		const guess = guessPhones(word).split(" ");
		expect(guess.filter((phone) => !known.has(phone))).toEqual([]);
		total += phones.split(" ").length;
		wrong += editDistance(phones.split(" "), guess);
	}
	expect(wrong / total).toBeLessThan(0.25);
});

test("other characters are skipped", () => {
	expect(guessPhones("42!")).toBe("");
});
