import { expect, test } from "vitest";
import { toChapters, toSentiment, toTopics, toTranslation } from "./to-extra.ts";

const sentences = ["One.", "Two.", "Three.", "Four."].map((text, index) => ({
	text,
	start: index * 10,
	end: index * 10 + 8,
	speaker: index < 2 ? "S1" : "S2",
}));

test("translations keep the times and speakers of their sentences", () => {
	expect(toTranslation(sentences.slice(0, 1), ["Un."])).toEqual([
		{ start_time: 0, end_time: 8, content: "Un.", speaker: "S1" },
	]);
});

test("sentiment is counted over all and for each speaker", () => {
	const judged = (["positive", "neutral", "negative", "negative"] as const).map((sentiment) => ({
		sentiment,
		confidence: 0.5,
	}));
	const { segments, summary } = toSentiment(sentences, judged);
	expect(segments).toHaveLength(4);
	expect(summary).toEqual({
		overall: { positive_count: 1, neutral_count: 1, negative_count: 2 },
		speakers: [
			{ speaker: "S1", positive_count: 1, neutral_count: 1, negative_count: 0 },
			{ speaker: "S2", positive_count: 0, neutral_count: 0, negative_count: 2 },
		],
		channels: [],
	});
});

test("neighbours with the same topics are one segment, and topics are counted by segments", () => {
	const topics = toTopics(sentences, [["a", "b"], ["b", "a"], [], ["b"]]);
	expect(topics.segments).toEqual([
		{ text: "One. Two.", start_time: 0, end_time: 18, topics: [{ topic: "a" }, { topic: "b" }] },
		{ text: "Four.", start_time: 30, end_time: 38, topics: [{ topic: "b" }] },
	]);
	expect(JSON.stringify(topics.summary.overall)).toBe('{"b":2,"a":1}');
});

test("chapters border on each other from the first word to the last", () => {
	const chapters = toChapters(sentences, [
		{ first: 0, title: "A", summary: "a" },
		{ first: 2, title: "B", summary: "b" },
	]);
	expect(chapters).toEqual([
		{ title: "A", summary: "a", start_time: 0, end_time: 20 },
		{ title: "B", summary: "b", start_time: 20, end_time: 38 },
	]);
});
