/** A stretch of time, in seconds. */
export type Span = { start: number; end: number };

/** Spans as whole tenths of a second: gap, length, gap, length … from zero. */
export type SpanRuns = number[];

const TENTHS = 10;

/** `inwards` makes spans shorter rather than longer where they fall between tenths. Spans that come to nothing are left out. */
export function packSpans(spans: readonly Span[], { inwards = false } = {}): SpanRuns {
	const runs: SpanRuns = [];
	let at = 0;
	for (const { start, end } of spans) {
		// A hair's breadth off a tenth is rounding, not sound.
		const from = Math.max(at, inwards ? Math.ceil(start * TENTHS - 1e-6) : Math.round(start * TENTHS));
		const to = inwards ? Math.floor(end * TENTHS + 1e-6) : Math.round(end * TENTHS);
		if (to <= from) continue;
		runs.push(from - at, to - from);
		at = to;
	}
	return runs;
}

/** @param offsetSeconds where the runs begin. */
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
