import fc from "fast-check";
import { expect, test } from "vitest";
import { packSpans, unpackSpans } from "./spans.ts";

const spans = fc
	.array(
		fc.tuple(fc.double({ min: 0.05, max: 9, noNaN: true }), fc.double({ min: 0.05, max: 9, noNaN: true })),
		{ maxLength: 20, size: "max" },
	)
	.map((steps) => {
		let at = 0;
		return steps.map(([gap, length]) => {
			const start = at + gap;
			at = start + length;
			return { start, end: at };
		});
	});

test("spans survive packing to the nearest tenth, in order and without overlap", () => {
	fc.assert(
		fc.property(spans, (given) => {
			const back = unpackSpans(packSpans(given), 100);
			back.forEach((span, index) => {
				expect(span.start).toBeGreaterThanOrEqual(back[index - 1]?.end ?? 100);
				expect(span.end).toBeGreaterThan(span.start);
				const at = (span.start + span.end) / 2 - 100;
				expect(given.some(({ start, end }) => at > start - 0.06 && at < end + 0.06)).toBe(true);
			});
			const sum = (list: typeof given) => list.reduce((total, { start, end }) => total + end - start, 0);
			expect(Math.abs(sum(back) - sum(given))).toBeLessThanOrEqual(0.11 * given.length + 1e-9);
		}),
	);
});

test("spans packed inwards never exceed the original spans", () => {
	fc.assert(
		fc.property(spans, (given) => {
			for (const { start, end } of unpackSpans(packSpans(given, { inwards: true }))) {
				expect(given.some((span) => start >= span.start - 1e-6 && end <= span.end + 1e-6)).toBe(true);
			}
		}),
	);
});

test("spans of whole tenths stay unchanged", () => {
	const given = [
		{ start: 0, end: 1.1 },
		{ start: 1.3, end: 20.000_000_000_000_1 },
	];
	expect(packSpans(given, { inwards: true })).toEqual([0, 11, 2, 187]);
	expect(unpackSpans([0, 11, 2, 187])).toEqual([
		{ start: 0, end: 1.1 },
		{ start: 1.3, end: 20 },
	]);
});
