import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passagesOf } from "./passages.ts";
import { findPhrases, parseQuery, termsOf } from "./search-terms.ts";

const terms = (text: string) => termsOf(text).map(({ term }) => term);

test.each([
	["Straße, CAFÉ and cafe\u0301", ["straße", "cafe", "and", "cafe"]],
	["don't e-mail me@x.org", ["don", "t", "e", "mail", "me", "x", "org"]],
	["日本語です ok", ["日", "本", "語", "で", "す", "ok"]],
	["第20回 カフェ", ["第", "20", "回", "カ", "フ", "ェ"]],
	["مُحَمَّد שָׁלוֹם", ["محمد", "שלום"]],
	["हिन्दी भाषा", ["हिन्दी", "भाषा"]],
	["ﬁne Ⅳ ２０", ["fine", "iv", "20"]],
	["<img onerror=x> \u202e \u0000", ["img", "onerror", "x"]],
	["", []],
])("the terms of %j are %j", (text, expected) => {
	expect(terms(text)).toEqual(expected);
});

describe("a query", () => {
	test("has words and phrases, and other characters mean nothing", () => {
		const words = (query: string) => parseQuery(query).map((phrase) => phrase.terms.join(" "));
		expect(words('one "two three" four')).toEqual(["one", "two three", "four"]);
		expect(words('"open ended')).toEqual(["open ended"]);
		expect(words("a AND b OR (c) NEAR/2 -d ^e col:f")).toEqual([
			..."a,and,b,or,c,near 2,d,e,col f".split(","),
		]);
		expect(words("'; drop table jobs; --")).toEqual(["drop", "table", "jobs"]);
		expect(words('"" * " ? "')).toEqual([]);
	});

	test("matches the beginning of a word when it ends in an asterisk, of three characters at least", () => {
		expect(parseQuery("meet* me* meet")).toEqual([
			{ terms: ["meet"], isPrefix: true },
			{ terms: ["me"], isPrefix: false },
			{ terms: ["meet"], isPrefix: false },
		]);
	});

	test("of any length has a bounded number of terms", () => {
		expect(parseQuery("a ".repeat(5000))).toHaveLength(16);
		expect(parseQuery(`"${"a ".repeat(5000)}"`)[0]?.terms).toHaveLength(32);
		expect(parseQuery("a".repeat(10_000))[0]?.terms[0]).toHaveLength(64);
	});
});

test("phrases are found with their places", () => {
	const found = (text: string, query: string) => findPhrases(text, parseQuery(query));
	expect(found("The Café meets. Meeting!", "cafe meet*")).toEqual({
		ranges: [
			[4, 8],
			[9, 14],
			[16, 23],
		],
		found: 2,
	});
	expect(found("one two three", '"two three" four')).toEqual({ ranges: [[4, 13]], found: 1 });
	expect(found("私は日本語を", "日本")).toEqual({ ranges: [[2, 4]], found: 1 });
});

test("every text is found by each of its own words, and terms hold nothing but letters, digits and marks", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
			for (const { term, start, end } of termsOf(text)) {
				expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
				expect(terms(text.slice(start, end))).toContain(term);
			}
			const phrases = parseQuery(text.replaceAll(/["“”„*]/g, " "));
			expect(findPhrases(text, phrases.slice(0, 1)).found).toBe(Math.min(1, phrases.length));
		}),
	);
});

test("a passage has the sentences that begin in its minute", () => {
	const word = (text: string, start: number) => ({
		...{ word: text, start, end: start + 0.4, confidence: null, language: "en", speaker: "S1" },
	});
	const words = [word("One", 0), word("two.", 59), word("Three.", 59.5), word("Four.", 130)];
	expect(passagesOf(words)).toEqual([
		{
			minute: 0,
			sentences: [
				[0, 0.4, "S1", "One"],
				[59, 59.4, "S1", "two."],
				[59.5, 59.9, "S1", "Three."],
			],
		},
		{ minute: 2, sentences: [[130, 130.4, "S1", "Four."]] },
	]);
});
