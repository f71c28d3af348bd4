import { expect, test } from "vitest";
import { languageWarnings } from "./language-warnings.ts";

const words = (...languages: (string | null)[]) => languages.map((language) => ({ language }));

test("another language than was asked for is told, with how much of the words is in it", () => {
	expect(languageWarnings(words("fr", "fr", "en", null), "en")).toEqual([
		"The language asked for is en, but the engine names fr as that of 2 of 4 words.",
	]);
	expect(languageWarnings(words("de", "fr", "fr", "it"), "en-GB")).toEqual([
		"The language asked for is en-GB, but the engine names fr, de and it as that of 4 of 4 words.",
	]);
});

test("what was asked for, in whatever region or under whatever of its codes, is no other language", () => {
	expect(languageWarnings(words("en", "en-US", null), "en-GB")).toEqual([]);
	expect(languageWarnings(words("zh"), "cmn")).toEqual([]);
	expect(languageWarnings([], "en")).toEqual([]);
	expect(languageWarnings(words("fr", "de"), "auto")).toEqual([]);
});
