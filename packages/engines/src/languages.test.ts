import { expect, test } from "vitest";
import { languageCode, WHISPER_LANGUAGES } from "./languages.ts";

test("every language name of Whisper servers maps to its code", () => {
	for (const [code, name] of Object.entries(WHISPER_LANGUAGES)) {
		expect(languageCode(name)).toBe(code);
		expect(languageCode(name.toUpperCase())).toBe(code);
		expect(languageCode(code)).toBe(code);
	}
});

test.each([
	["en-US", "en"],
	["zh_CN", "zh"],
	["castilian", "es"],
	["unknown tongue", null],
	["und", null],
	["", null],
	[42, null],
	[undefined, null],
])("languageCode maps %j to %j", (name, code) => {
	expect(languageCode(name)).toBe(code);
});
