import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearPattern, PatternError } from "./linear-pattern.ts";

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

/** Everything of the grammar that has a meaning here, in small. */
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

test("finds what RegExp finds, whatever the pattern and the text", () => {
	const text = fc.oneof(
		fc.constantFrom(...TEXTS),
		fc
			.array(fc.constantFrom("a", "b", "1", " ", "-", "é", "😀", "\n"), { maxLength: 8 })
			.map((chars) => chars.join("")),
	);
	fc.assert(
		fc.property(pattern, text, (source, text) => {
			// V8 finds \\B also between the halves of a character, where the standard does not look.
			fc.pre(isRegExp(source) && !(source.includes("\\B") && /[^\0-\uffff]/u.test(text)));
			expect(linearPattern(source).isFoundIn(text)).toBe(new RegExp(source, "u").test(text));
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
])("%s on %j", (source, text, isFound) => {
	expect(linearPattern(source).isFoundIn(text)).toBe(isFound);
});

describe("patterns that hold up RegExp take a moment", () => {
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
		let steps = 0;
		const isFound = linearPattern(source).isFoundIn(text, (taken) => {
			steps += taken;
		});
		expect(isFound).toBe(false);
		expect(steps).toBeLessThan(50 * text.length);
	});
});

test("who pays may end it", () => {
	const { isFoundIn } = linearPattern("b");
	const spend = () => {
		throw new RangeError("enough");
	};
	expect(() => isFoundIn("a".repeat(10), spend)).toThrow("enough");
});

test.each([
	["(", "Not a regular expression"],
	["a{2", "Not a regular expression"],
	["^(?=.*\\d).+$", "Look-around is not supported"],
	["(?<!a)b", "Look-around is not supported"],
	["(a)\\1", "Back references are not supported"],
	["(?<n>a)\\k<n>", "Back references are not supported"],
	["((a{100}){100}){100}", "Repeats too much"],
	["a{99999999}", "Repeats too much"],
	["a".repeat(1_001), "Longer than 1000 characters"],
])("%s is refused", (source, message) => {
	expect(() => linearPattern(source)).toThrow(new PatternError(message));
});

test("a group of nothing may be repeated as often as one likes", () => {
	expect(linearPattern("^(?:){1000000000}(?:|){3}a$").isFoundIn("a")).toBe(true);
	expect(linearPattern("(?:(?:(?:){999999}){999999}){999999}").isFoundIn("a")).toBe(true);
});
