import { editDistance } from "@parley/testing/wer";
import { expect, test } from "vitest";
import { loadPronunciations } from "./assets.ts";
import { guessPhones } from "./letter-to-sound.ts";

test("coined names come out as one would read them", () => {
	expect(guessPhones("wrangler")).toBe("R AE NG L ER");
	expect(guessPhones("cloudflare")).toBe("K L AW D F L EH R");
	expect(guessPhones("hono")).toBe("HH OW N OW");
});

test("three of four phones of the dictionary's words are guessed right, and no phone is made up", () => {
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

test("other characters are passed over", () => {
	expect(guessPhones("42!")).toBe("");
});
