import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Budget, BudgetExceeded } from "../budget.ts";
import { CharClasses } from "./char-class.ts";
import { Pattern } from "./pattern.ts";
import { PatternError } from "./pattern-syntax.ts";

const isFound = (source: string, text: string, budget = new Budget()): boolean =>
	new Pattern(source, new CharClasses()).isFoundIn(text, budget);

const TEXTS = [
	"",
	"a",
	"b",
	"ab",
	"aab",
	"abab",
	"a1",
	"1-2",
	"a b",
	"A_z",
	"é",
	"😀",
	"\ud83d",
	"a\nb",
	"]",
	"\\",
];

const CHARACTERS =
	String.raw`a b 1 . é 😀 ^ $ \b \B \d \W \s \p{L} \u0061 \u{1F600} \ud83d\ude00 \x61 \cJ \0 \n \\ \] \/`.split(
		" ",
	);
const CLASSES = String.raw`[ab] [^a] [\]a-c] [^] [] [\d-] [😀é] [\b] [\-a] [\\]`.split(" ");

/** Every construct of the grammar that is supported, in small. */
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
	pattern: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		fc.constantFrom("", ...CHARACTERS, ...CLASSES),
		fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((parts) => parts.join("")),
		fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join("|")})`),
		fc
			.tuple(
				tie("pattern"),
				fc.constantFrom("(", "(?:", "(?<n>"),
				fc.constantFrom("*", "+", "?", "{2}", "{0}", "{1,}", "{0,2}", "{1,3}", "*?", "+?", "??", "{1,2}?"),
			)
			.map(([part, open, times]) => `${open}${part})${times}`),
	),
})).pattern;

test("a pattern finds what RegExp finds, in any text", () => {
	const text = fc.oneof(
		fc.constantFrom(...TEXTS),
		fc
			.array(fc.constantFrom("a", "b", "1", " ", "-", "é", "😀", "\n"), { maxLength: 8 })
			.map((chars) => chars.join("")),
	);
	fc.assert(
		fc.property(pattern, text, text, (source, first, second) => {
			fc.pre(isRegExp(source));
			const compiled = new Pattern(source, new CharClasses());
			// The second text is matched with what the first left in the cache.
			for (const each of [first, second]) {
				// V8 finds \\B also between the halves of a character, where the standard does not look.
				if (source.includes("\\B") && /[^\0-\uffff]/u.test(each)) continue;
				expect(compiled.isFoundIn(each, new Budget())).toBe(new RegExp(source, "u").test(each));
			}
		}),
		{ numRuns: 5_000 },
	);
});

function isRegExp(source: string): boolean {
	try {
		return new RegExp(source, "u") instanceof RegExp;
	} catch {
		return false;
	}
}

test.each([
	["^\\d{4}-\\d{2}-\\d{2}$", "2026-11-21", true],
	["^\\d{4}-\\d{2}-\\d{2}$", "2026-11-211", false],
	["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "ada@example.org", true],
	["^\\+[1-9]\\d{1,14}$", "+4915112345678", true],
	["^(?:red|green|blue)$", "greenish", false],
	["^\\p{Lu}[\\p{Ll} ]*$", "Élan vital", true],
	["cat|dog", "hotdogs", true],
	["^\\S+$", "no\u00a0break", false],
	["^.{1,2000}$", "a".repeat(2_000), true],
	["^.{1,2000}$", "a".repeat(2_001), false],
])("%s on a text is decided as ECMA-262 says", (source, text, expected) => {
	expect(isFound(source, text)).toBe(expected);
});

describe("a pattern that RegExp takes forever for is matched in steps proportional to the text", () => {
	test.each([
		["^(a+)+$", `${"a".repeat(50_000)}!`],
		["^(a|a)*$", `${"a".repeat(50_000)}!`],
		["^(a|aa)+$", `${"a".repeat(50_000)}!`],
		["^([a-zA-Z]+)*$", `${"a".repeat(50_000)}!`],
		["(.*)*x", "a".repeat(50_000)],
		["^(\\w+\\s?)*$", `${"word ".repeat(10_000)}!`],
		["\\s+$", `${" ".repeat(50_000)}!`],
		["(x+x+)+y", "x".repeat(50_000)],
		["a*a*a*a*a*b", "a".repeat(50_000)],
		["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(50_000)],
		["(?:(?:(?:a*)*)*)*b", "a".repeat(50_000)],
	])("%s", (source, text) => {
		const budget = new Budget();
		expect(isFound(source, text, budget)).toBe(false);
		expect(budget.spent).toBeLessThan(text.length / 2);
	});
});

test("a pattern whose cache grows with the text stops at the end of its budget", () => {
	const bits = Array.from({ length: 20_000 }, (_, n) => ((n * n) % 7 < 3 ? "a" : "b")).join("");
	expect(() => isFound("(a|b)*a(a|b){300}c", bits, new Budget(100_000))).toThrow(BudgetExceeded);
});

test.each([
	["(", "Must be a regular expression of ECMA-262 that is valid with the flag u"],
	["a{2", "Must be a regular expression of ECMA-262 that is valid with the flag u"],
	["^(?=.*\\d).+$", "Must not use look-around such as (?=…)"],
	["(?<!a)b", "Must not use look-around such as (?=…)"],
	["(?i:a)b", "Must not use modifiers such as (?i:…)"],
	["(a)\\1", "Must not use back references such as \\1"],
	["(?<n>a)\\k<n>", "Must not use back references such as \\1"],
	["((a{100}){100}){100}", "Must repeat less: it compiles to more than 10000 states"],
	["a{99999999}", "Must repeat less: it compiles to more than 10000 states"],
	["a".repeat(1_001), "Must have at most 1000 characters: it is a regular expression"],
])("%s is rejected", (source, message) => {
	expect(() => new Pattern(source, new CharClasses())).toThrow(new PatternError(message));
});

test("an empty group can be repeated any number of times", () => {
	expect(isFound("^(?:){1000000000}(?:|){3}a$", "a")).toBe(true);
	expect(isFound("(?:(?:(?:){999999}){999999}){999999}", "a")).toBe(true);
});
