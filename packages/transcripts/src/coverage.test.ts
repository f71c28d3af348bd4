import fc from "fast-check";
import { expect, test } from "vitest";
import { coverage, coverageOfChunks, type Span } from "./coverage.ts";

const spans = fc.array(
	fc
		.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0.01, max: 20, noNaN: true }))
		.map(([start, seconds]) => ({ start, end: start + seconds })),
	{ maxLength: 12 },
);

test("words over all voiced spans cover them completely", () => {
	fc.assert(
		fc.property(spans, (voiced) => {
			const { coverage: share, missing } = coverage(voiced, voiced);
			if (voiced.length === 0) expect(share).toBeNull();
			else expect(share).toBeCloseTo(1, 9);
			expect(missing).toEqual([]);
		}),
	);
});

test("the covered and the missing time never exceed the voiced time, and no word lies in a gap", () => {
	fc.assert(
		fc.property(spans, spans, (words, voiced) => {
			const found = coverage(words, voiced);
			const shared = (a: Span, b: Span) => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
			for (const gap of found.missing) {
				for (const word of words) expect(shared(gap, word)).toBe(0);
			}
			const whole = coverage(found.missing, voiced, { bridgeSeconds: 0, padSeconds: 0 });
			expect(found.coveredSeconds + whole.coveredSeconds).toBeLessThanOrEqual(found.voicedSeconds + 1e-9);
			expect(found.coveredSeconds).toBeGreaterThanOrEqual(0);
		}),
	);
});

test("short voiced spans without words form one gap, pauses included", () => {
	const remarks = Array.from({ length: 6 }, (_, index) => ({ start: 2 * index, end: 2 * index + 0.5 }));
	expect(coverage([], remarks).missing).toEqual([{ start: 0, end: 10.5 }]);
	expect(coverage([{ start: 5, end: 5.5 }], remarks).missing).toEqual([
		{ start: 0, end: 4.5 },
		{ start: 6, end: 10.5 },
	]);
});

test("a voiced span without words is reported", () => {
	const found = coverage(
		[
			{ start: 0, end: 4 },
			{ start: 8, end: 10 },
		],
		[{ start: 0, end: 10 }],
		{ padSeconds: 0 },
	);
	expect(found.coverage).toBeCloseTo(0.6);
	expect(found.missing).toEqual([{ start: 4, end: 8 }]);
});

test("audio that two chunks share counts once", () => {
	const found = coverageOfChunks(
		[{ start: 0, end: 10 }],
		[
			{ start: 0, end: 12, voiced: [{ start: 0, end: 12 }] },
			{ start: 10, end: 20, voiced: [{ start: 10, end: 20 }] },
		],
	);
	expect(found?.voicedSeconds).toBeCloseTo(20);
	expect(found?.coverage).toBeCloseTo(0.51);
	expect(found?.missing).toEqual([{ start: expect.closeTo(10.2), end: 20 }]);
});

test("a chunk without voice detection is left out, and too many of them make the coverage null", () => {
	const voiced = { start: 0, end: 90, voiced: [{ start: 0, end: 80 }] };
	const words = [{ start: 0, end: 80 }];
	const left = (end: number) => coverageOfChunks(words, [voiced, { start: 90, end, voiced: null }]);
	expect(left(100)?.coverage).toBeCloseTo(1);
	expect(left(180)).toBeNull();
});
