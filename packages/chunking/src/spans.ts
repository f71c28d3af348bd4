/** A span of time, in seconds. */
export type Span = { start: number; end: number };

/** Spans in tenths of a second, run-length encoded: gap, length, gap, length … from zero. */
export type SpanRuns = number[];

const TENTHS = 10;

/**
 * Packs spans, rounded to tenths of a second. `inwards` rounds starts up and ends down, so that no span grows. Drops spans that round to
 * nothing.
 */
export function packSpans(spans: readonly Span[], { inwards = false } = {}): SpanRuns {
	const runs: SpanRuns = [];
	let at = 0;
	for (const { start, end } of spans) {
		// The tolerance ignores floating-point errors.
		const from = Math.max(at, inwards ? Math.ceil(start * TENTHS - 1e-6) : Math.round(start * TENTHS));
		const to = inwards ? Math.floor(end * TENTHS + 1e-6) : Math.round(end * TENTHS);
		if (to <= from) continue;
		runs.push(from - at, to - from);
		at = to;
	}
	return runs;
}

/** Unpacks spans. @param offsetSeconds time at which the runs begin. */
export function unpackSpans(runs: SpanRuns, offsetSeconds = 0): Span[] {
	const spans: Span[] = [];
	let at = 0;
	for (let index = 0; index + 1 < runs.length; index += 2) {
		const start = at + (runs[index] as number);
		at = start + (runs[index + 1] as number);
		spans.push({ start: offsetSeconds + start / TENTHS, end: offsetSeconds + at / TENTHS });
	}
	return spans;
}
