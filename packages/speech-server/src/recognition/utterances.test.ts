import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import { expect, test } from "vitest";
import { cutUtterances, isSilent, quietestPoint, type Utterance } from "./utterances.ts";

/** A tone that pauses for `pauseSeconds` at each of the given seconds. */
function tone(seconds: number, pauses: number[] = [], pauseSeconds = 0.5): Int16Array {
	return Int16Array.from({ length: seconds * SAMPLE_RATE }, (_, i) => {
		const at = i / SAMPLE_RATE;
		return pauses.some((pause) => at >= pause && at < pause + pauseSeconds) ? 0 : 8000 * Math.sin(at * 2000);
	});
}

function cut(samples: Int16Array, blockSize = 4096): { utterances: Utterance[]; length: number } {
	const blocks = Array.from({ length: Math.ceil(samples.length / blockSize) }, (_, i) =>
		samples.subarray(i * blockSize, (i + 1) * blockSize),
	);
	const cutter = cutUtterances(blocks);
	const utterances: Utterance[] = [];
	for (;;) {
		const next = cutter.next();
		if (next.done) return { utterances, length: next.value.length };
		utterances.push(next.value);
	}
}

test("utterances are adjacent and contain every sample", () => {
	const recording = tone(61.3);
	for (const blockSize of [100, 4096, 500_000]) {
		const { utterances, length } = cut(recording, blockSize);
		expect(length).toBe(recording.length);
		expect(utterances.flatMap(({ samples }) => [...samples])).toEqual([...recording]);
		let expected = 0;
		for (const { offset, samples } of utterances) {
			expect(offset).toBe(expected);
			expected += samples.length;
		}
	}
});

test("utterances are 6 to 14 seconds long, except the last", () => {
	const { utterances } = cut(tone(95, [3, 11, 12, 20, 33, 34, 47, 60, 81]));
	for (const { samples } of utterances.slice(0, -1)) {
		expect(samples.length).toBeGreaterThanOrEqual(6 * SAMPLE_RATE);
		expect(samples.length).toBeLessThanOrEqual(14 * SAMPLE_RATE);
	}
});

test("an utterance ends in a pause if there is one", () => {
	const [, second, third] = cut(tone(30, [9, 18])).utterances;
	expect(second!.offset / SAMPLE_RATE).toBeCloseTo(9.25, 0);
	expect(third!.offset / SAMPLE_RATE).toBeCloseTo(18.25, 0);
});

test("the middle one of equally quiet points is chosen", () => {
	expect(quietestPoint(new Int16Array(8 * SAMPLE_RATE)) / SAMPLE_RATE).toBeCloseTo(4, 1);
});

test("silent utterances are omitted, but count in offsets", () => {
	const { utterances, length } = cut(new Int16Array(40 * SAMPLE_RATE));
	expect(utterances).toEqual([]);
	expect(length).toBe(40 * SAMPLE_RATE);
	expect(isSilent(Int16Array.from({ length: 8000 }, (_, i) => (i % 2) * 10))).toBe(true);
	expect(isSilent(tone(1))).toBe(false);
});

test("an empty recording has no utterances", () => {
	expect(cut(new Int16Array())).toEqual({ utterances: [], length: 0 });
});
