import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sentence } from "../language-engine.ts";
import { BARE_CALL, CALL } from "./call.fixture.ts";
import { findChapters, summarise } from "./engine.ts";
import { keywordsOf, matchTopics } from "./keywords.ts";
import { sentimentOf } from "./lexicon-sentiment.ts";
import { keySentences } from "./textrank.ts";

const texts = CALL.map(({ text }) => text);
const vocabulary = "order refund invoice battery label delivery the a not good bad terrible happy week".split(
	" ",
);
const anyText = fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map((words) => words.join(" "));
const anySentences: fc.Arbitrary<Sentence[]> = fc
	.array(fc.tuple(anyText, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 40 })
	.map((entries) => {
		let clock = 0;
		return entries.map(([text, seconds]) => {
			const start = clock;
			clock += seconds;
			return { text, start, end: clock };
		});
	});

describe("an extractive summary", () => {
	test("a summary consists of original sentences in their order", () => {
		const brief = summarise(texts, { summary_length: "brief", summary_type: "bullets" });
		expect(brief.split("\n")).toEqual([
			"- I want to return the headphones that I bought last week.",
			"- The refund covers the headphones and the delivery.",
			"- Indeed the subscription was billed twice, we will correct the invoice.",
		]);
		const detailed = summarise(texts, { summary_length: "detailed", summary_type: "paragraphs" });
		expect(detailed).not.toContain("\n");
		expect(detailed.length).toBeGreaterThan(brief.length);
	});

	test("a summary of text without punctuation separates sentences", () => {
		const bare = BARE_CALL.map(({ text }) => text);
		const summary = summarise(bare, { summary_length: "brief", summary_type: "paragraphs" });
		expect(summary.match(/\.( |$)/g)).toHaveLength(3);
	});

	test("a summary never repeats itself", () => {
		const twice = ["The refund takes five working days.", "The refund takes five working days, yes."];
		expect(keySentences([...twice, ...texts], 5).filter((index) => index < 2)).toHaveLength(1);
	});

	test("keySentences returns rising indexes, at most as many as requested", () => {
		fc.assert(
			fc.property(fc.array(anyText, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (sample, count) => {
				const chosen = keySentences(sample, count);
				expect(chosen.length).toBeLessThanOrEqual(count);
				expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
				expect(chosen.every((index) => sample[index] !== undefined)).toBe(true);
			}),
		);
	});

	test("a summary of a day of speech is ranked in blocks", () => {
		const day = Array.from({ length: 2000 }, (_, at) =>
			[97, 89, 83].map((m) => `word${(at * 7) % m}`).join(" "),
		);
		expect(keySentences(day, 12)).toHaveLength(12);
	});
});

describe("sentiment by lexicon", () => {
	test.each([
		["I am happy with that.", "positive"],
		["The left headphone makes a terrible noise.", "negative"],
		["I am not happy with that.", "negative"],
		["It is not bad at all.", "positive"],
		["The refund takes five working days.", "neutral"],
		["i want to return it", "neutral"],
		["", "neutral"],
		["constructor toString __proto__", "neutral"],
	])('the sentiment of "%s" is %s', (text, sentiment) => {
		expect(sentimentOf(text).sentiment).toBe(sentiment);
	});

	test("stronger words give a higher confidence", () => {
		expect(sentimentOf("a very good day").confidence).toBeGreaterThan(sentimentOf("a good day").confidence);
		expect(sentimentOf("an awesome day").confidence).toBeGreaterThan(sentimentOf("a good day").confidence);
	});

	test("the confidence is from 0 to 1 for any text", () => {
		fc.assert(
			fc.property(fc.oneof(anyText, fc.string()), (text) => {
				const { confidence } = sentimentOf(text);
				expect(confidence).toBeGreaterThanOrEqual(0);
				expect(confidence).toBeLessThanOrEqual(1);
			}),
		);
	});
});

describe("topics", () => {
	test("topics are recurring keywords and pairs of them, in their most frequent form", () => {
		const topics = keywordsOf(texts);
		expect(topics[1]).toEqual(["headphones", "return"]);
		expect(topics[4]).toEqual(["order number"]);
		expect(topics[15]).toEqual(["subscription", "billed twice"]);
		expect(topics[21]).toEqual([]);
	});

	test("topics are the same without punctuation", () => {
		expect(keywordsOf(BARE_CALL.map(({ text }) => text))).toEqual(keywordsOf(texts));
	});

	test("given topics are found by all their words in any form, and no others", () => {
		const found = matchTopics(texts, ["Refunds", "number of the order", "weather", "it"]);
		expect(found.flatMap((topics, index) => (topics.includes("Refunds") ? [index] : []))).toEqual([
			10, 11, 12,
		]);
		expect(found[4]).toEqual(["number of the order"]);
		expect(found[9]).toEqual(["it"]);
		expect(found.flat()).not.toContain("weather");
	});

	test("topics are at most ten, each in at least two sentences", () => {
		fc.assert(
			fc.property(fc.array(anyText, { maxLength: 30 }), (sample) => {
				const found = keywordsOf(sample);
				expect(found).toHaveLength(sample.length);
				const all = new Set(found.flat());
				expect(all.size).toBeLessThanOrEqual(10);
				for (const topic of all)
					expect(found.filter((topics) => topics.includes(topic)).length).toBeGreaterThanOrEqual(2);
			}),
		);
	});
});

describe("chapters by vocabulary", () => {
	test("chapters begin where the vocabulary changes", () => {
		const found = findChapters(CALL);
		expect(found.map(({ first, title }) => [first, title])).toEqual([
			[0, "Headphones, return, order"],
			[13, "Invoice, subscription, billed"],
		]);
		expect(texts.slice(13)).toContain(found[1]?.summary);
	});

	test("a recording of a minute is one chapter", () => {
		expect(findChapters(CALL.slice(0, 6))).toHaveLength(1);
	});

	test("chapters cover every sentence once, in order, and none is shorter than a minute", () => {
		fc.assert(
			fc.property(anySentences, (sentences) => {
				const chapters = findChapters(sentences);
				expect(chapters[0]?.first).toBe(0);
				const firsts = chapters.map(({ first }) => first);
				expect(firsts).toEqual([...new Set(firsts)].sort((a, b) => a - b));
				const starts = firsts.map((first) => sentences[first]?.start ?? Number.NaN);
				const ends = [...starts.slice(1), sentences.at(-1)?.end ?? Number.NaN];
				if (chapters.length > 1)
					expect(starts.every((start, index) => (ends[index] ?? 0) - start >= 60)).toBe(true);
			}),
		);
	});
});

test("the same text always gives the same results", () => {
	const all = () => [findChapters(CALL), keywordsOf(texts), keySentences(texts, 5)];
	expect(JSON.stringify(all())).toBe(JSON.stringify(all()));
});
