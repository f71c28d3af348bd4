import { expect, test } from "vitest";
import { activations, SAMPLE_RATES, type SampleRate } from "./frequency-activation.ts";
import { musicEvents } from "./music-events.ts";
import { musicScores } from "./music-scores.ts";
import { babble, inTurn, noise, type Sound, sampled, tune } from "./tunes.fixture.ts";

const scoresOf = (sound: Sound, seconds: number, rate: SampleRate = 16_000) =>
	musicScores([...activations(sampled(sound, seconds, rate), rate)]);

const eventsIn = (sound: Sound, seconds: number, rate?: SampleRate) =>
	musicEvents([{ startSeconds: 0, endSeconds: seconds, scores: scoresOf(sound, seconds, rate) }]);

test.each(SAMPLE_RATES)("a tune between two talks is found to the second or two, at %d Hz", (rate) => {
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
	const both: Sound = (time) => 0.7 * babble(time) + 0.4 * tune(time);
	expect(eventsIn(both, 20)).toHaveLength(1);
});

test.each<[string, Sound]>([
	["a voice", babble],
	["noise", noise()],
	["silence", () => 0],
	["one steady tone", (time) => 0.3 * Math.sin(2 * Math.PI * 440 * time)],
	["a dial tone", (time) => 0.2 * (Math.sin(2 * Math.PI * 350 * time) + Math.sin(2 * Math.PI * 440 * time))],
])("%s is no music", (_, sound) => {
	expect(eventsIn(sound, 20)).toEqual([]);
});

test("music is music however loud it is", () => {
	const [loud, soft] = [1, 0.02].map((gain) => eventsIn((time) => gain * tune(time), 15));
	expect(soft?.map(({ start, end }) => [start, end])).toEqual(loud?.map(({ start, end }) => [start, end]));
});

test("less than a frame has no scores", () => {
	expect(musicScores([...activations(new Int16Array(100), 8000)])).toEqual([]);
});
