import { expect, test } from "vitest";
import { musicEvents } from "./music-events.ts";

const MUSIC = 3;
/** Scores of so many seconds without and with music, in turn. */
const turns = (...seconds: number[]) =>
	seconds.flatMap((count, index) => Array.from({ length: count }, () => (index % 2) * MUSIC));
const chunk = (startSeconds: number, scores: number[], seconds = scores.length) => ({
	startSeconds,
	endSeconds: startSeconds + seconds,
	scores,
});
const spans = (...chunks: ReturnType<typeof chunk>[]) =>
	musicEvents(chunks).map(({ start, end }) => [start, end]);

test("a short pause belongs to the music, and a long one ends it", () => {
	expect(spans(chunk(0, turns(20, 10, 3, 10, 20, 10, 10)))).toEqual([
		[20, 43],
		[63, 73],
	]);
});

test("a short jingle is not an event", () => {
	expect(spans(chunk(0, turns(20, 4, 20)))).toEqual([]);
});

test("music across a chunk boundary is one event, whether chunks overlap or not", () => {
	expect(spans(chunk(0, turns(20, 10)), chunk(30, turns(0, 10, 20)))).toEqual([[20, 40]]);
	expect(spans(chunk(0, turns(20, 12.5)), chunk(29.5, turns(0, 10, 20)))).toEqual([[20, 39.5]]);
});

test("each of two overlapping chunks contributes half of the overlap", () => {
	expect(spans(chunk(0, turns(0, 40)), chunk(36, turns(40)))).toEqual([[0, 38]]);
	expect(spans(chunk(0, turns(40)), chunk(36, turns(0, 40)))).toEqual([[38, 76]]);
});

test("a chunk without scores counts as silent", () => {
	expect(spans(chunk(0, turns(0, 10)), chunk(10, [], 20), chunk(30, turns(0, 10)))).toEqual([
		[0, 10],
		[30, 40],
	]);
});

test("music ends with the recording", () => {
	expect(spans(chunk(0, turns(5, 10), 14.2))).toEqual([[5, 14.2]]);
});

test("clearer music has a higher confidence, between 0.5 and 1", () => {
	const [faint, clear] = [1.2, 5].map((score) => {
		const [event] = musicEvents([
			chunk(
				0,
				Array.from({ length: 10 }, () => score),
			),
		]);
		return event?.confidence ?? 0;
	});
	expect(faint).toBeGreaterThan(0.5);
	expect(clear).toBeGreaterThan(faint ?? 1);
	expect(clear).toBeLessThan(1);
});
