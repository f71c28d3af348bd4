import { expect, test } from "vitest";
import { activations, SAMPLE_RATES, type SampleRate } from "./frequency-activation.ts";
import { musicEvents } from "./music-events.ts";
import { musicScores } from "./music-scores.ts";
import { babble, inTurn, noise, type Signal, sampled, tune } from "./tunes.fixture.ts";

const scoresOf = (signal: Signal, seconds: number, rate: SampleRate = 16_000) =>
	musicScores([...activations(sampled(signal, seconds, rate), rate)]);

const eventsIn = (signal: Signal, seconds: number, rate?: SampleRate) =>
	musicEvents([{ startSeconds: 0, endSeconds: seconds, scores: scoresOf(signal, seconds, rate) }]);

test.each(SAMPLE_RATES)("a tune between two speeches is found to within two seconds at %d Hz", (rate) => {
	const talk = inTurn([
		[babble, 12],
		[tune, 20],
		[babble, 12],
	]);
	const events = eventsIn(talk, 44, rate);
	expect(events).toHaveLength(1);
	expect(Math.abs((events[0]?.start ?? 0) - 12)).toBeLessThanOrEqual(2);
	expect(Math.abs((events[0]?.end ?? 0) - 32)).toBeLessThanOrEqual(2);
});

test("a tune under a voice is found", () => {
	const both: Signal = (time) => 0.7 * babble(time) + 0.4 * tune(time);
	expect(eventsIn(both, 20)).toHaveLength(1);
});

test.each<[string, Signal]>([
	["a voice", babble],
	["noise", noise()],
	["silence", () => 0],
	["one steady tone", (time) => 0.3 * Math.sin(2 * Math.PI * 440 * time)],
	["a dial tone", (time) => 0.2 * (Math.sin(2 * Math.PI * 350 * time) + Math.sin(2 * Math.PI * 440 * time))],
])("%s is not music", (_, signal) => {
	expect(eventsIn(signal, 20)).toEqual([]);
});

test("music is found at any loudness", () => {
	const [loud, soft] = [1, 0.02].map((gain) => eventsIn((time) => gain * tune(time), 15));
	expect(soft?.map(({ start, end }) => [start, end])).toEqual(loud?.map(({ start, end }) => [start, end]));
});

test("audio shorter than a frame has no scores", () => {
	expect(musicScores([...activations(new Int16Array(100), 8000)])).toEqual([]);
});
