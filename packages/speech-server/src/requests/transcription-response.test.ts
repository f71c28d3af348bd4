import { expect, test } from "vitest";
import type { Transcript } from "./transcript.ts";
import { renderTranscript } from "./transcription-response.ts";

const transcript: Transcript = {
	duration: 3700.25,
	words: [
		{ word: "hello", start: 0.5, end: 0.9996, probability: 1 },
		{ word: "R&D", start: 1, end: 1.5, probability: Math.exp(-1) },
		{ word: "-->", start: 3661.5, end: 3662, probability: 0.5 },
	],
	warnings: ["careful"],
};

test("json and text contain the text", () => {
	const json = renderTranscript(transcript, "json", []);
	expect(JSON.parse(json.body)).toEqual({
		text: "hello R&D -->",
		usage: { type: "duration", seconds: 3701 },
	});
	expect(renderTranscript(transcript, "text", []).body).toBe("hello R&D -->\n");
});

test("verbose JSON has the requested granularities", () => {
	const body = JSON.parse(renderTranscript(transcript, "verbose_json", ["segment"]).body);
	expect(body).toMatchObject({
		task: "transcribe",
		language: "english",
		duration: 3700.25,
		warnings: ["careful"],
	});
	expect(body.words).toBeUndefined();
	expect(body.segments).toHaveLength(2);
	expect(body.segments[0]).toMatchObject({
		id: 0,
		seek: 50,
		start: 0.5,
		end: 1.5,
		text: "hello R&D",
		avg_logprob: -0.5,
	});
	const words = JSON.parse(renderTranscript(transcript, "verbose_json", ["word"]).body);
	expect(words.segments).toBeUndefined();
	expect(words.words).toEqual(transcript.words);
});

test("SubRip cues are numbered, use a comma and contain no arrow", () => {
	expect(renderTranscript(transcript, "srt", []).body).toBe(
		"1\n00:00:00,500 --> 00:00:01,500\nhello R&D\n\n2\n01:01:01,500 --> 01:01:02,000\n->\n",
	);
});

test("WebVTT cues use a point and escape markup", () => {
	expect(renderTranscript(transcript, "vtt", []).body).toBe(
		"WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nhello R&amp;D\n\n01:01:01.500 --> 01:01:02.000\n--&gt;\n",
	);
});

test("subtitles break long text into two lines and round milliseconds up to seconds", () => {
	const word = "a".repeat(30);
	const words = [
		{ word, start: 1, end: 2, probability: 1 },
		{ word, start: 2, end: 59.9996 - 55, probability: 1 },
	];
	const { body } = renderTranscript({ duration: 60, words, warnings: [] }, "srt", []);
	expect(body).toBe(`1\n00:00:01,000 --> 00:00:05,000\n${word}\n${word}\n`);
});
