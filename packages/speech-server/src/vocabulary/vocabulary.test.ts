import { expect, test } from "vitest";
import { loadPronunciations } from "../assets.ts";
import { resolveVocabulary, type VocabularyEntry } from "./vocabulary.ts";

const dictionary = loadPronunciations();
const resolve = (...entries: VocabularyEntry[]) => resolveVocabulary(entries, dictionary);

test("known words have the dictionary's pronunciation and the given spelling", () => {
	const { added, display, warnings } = resolve({ content: "Parley" }, { content: "Grace Hopper" });
	expect(added).toEqual([
		{ word: "parley", phones: "P AA R L IY" },
		{ word: "grace_hopper", phones: "G R EY S HH AA P ER" },
	]);
	expect(display.get("grace_hopper")).toBe("Grace Hopper");
	expect(warnings).toEqual([]);
});

test("each sounds_like adds a pronunciation and replaces a guess", () => {
	const { added, warnings } = resolve({
		content: "Kubernetes",
		sounds_like: ["cooper net ease", "cuba net ease"],
	});
	expect(added).toEqual([
		{ word: "kubernetes", phones: "K UW P ER N EH T IY Z" },
		{ word: "kubernetes", phones: "K Y UW B AH N EH T IY Z" },
	]);
	expect(warnings).toEqual([]);
});

test("capitals, words without vowels and digits are spelled out", () => {
	const phones = (content: string) => resolve({ content }).added[0]?.phones;
	expect(phones("GPT")).toBe("JH IY P IY T IY");
	expect(phones("psql")).toBe("P IY EH S K Y UW EH L");
	expect(phones("OpenAI")).toBe("OW P AH N EY AY");
	expect(phones("mp3")).toBe("EH M P IY TH R IY");
	expect(phones("NASA")).toBe(dictionary.get("nasa"));
	expect(phones("Café")).toBe(dictionary.get("cafe"));
});

test("a guessed pronunciation causes a warning, for content and for sounds_like", () => {
	const { added, warnings } = resolve(
		{ content: "Zwieback" },
		{ content: "Kubernetes", sounds_like: ["coober netties"] },
	);
	expect(added).toEqual([
		{ word: "zwieback", phones: "Z W IY B AE K" },
		{ word: "kubernetes", phones: "K UW B ER N EH T IY Z" },
	]);
	expect(warnings).toHaveLength(3);
	expect(warnings.join()).toMatch(/"zwieback".*"coober".*"netties"/);
});

test("an entry that cannot be pronounced is ignored with a warning", () => {
	const { added, warnings } = resolve({ content: "東京" }, { content: "Kyoto", sounds_like: ["京都"] });
	expect(added.map(({ word }) => word)).toEqual(["kyoto"]);
	expect(warnings).toEqual([
		'"東京" cannot be pronounced and was ignored',
		'"京都" (for "Kyoto") cannot be pronounced and was ignored',
	]);
});

test("entries with the same engine word stay distinct", () => {
	const { display } = resolve({ content: "C++" }, { content: "C#" });
	expect([...display.values()]).toEqual(["C++", "C#"]);
});

test("the key depends on the engine's words, not on their spelling", () => {
	expect(resolve({ content: "Parley" }).key).toBe(resolve({ content: "PARLEY" }).key);
	expect(resolve({ content: "Parley" }).key).not.toBe(resolve({ content: "Parsley" }).key);
});
