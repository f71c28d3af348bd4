/** A span of time, in seconds. */
export type Span = { start: number; end: number };

export type Coverage = {
	/** Share of the voiced time that words cover, from 0 to 1. Null if nothing is voiced. */
	coverage: number | null;
	voicedSeconds: number;
	coveredSeconds: number;
	/** Spans without words that hold a second or more of voice, longest first. Each begins and ends voiced. */
	missing: Span[];
};

/** Sorts and merges spans. Neighbours closer than `bridgeSeconds` become one. */
function merge(spans: readonly Span[], bridgeSeconds: number): Span[] {
	const merged: Span[] = [];
	for (const span of [...spans].sort((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last && span.start - last.end <= bridgeSeconds) last.end = Math.max(last.end, span.end);
		else if (span.end > span.start) merged.push({ ...span });
	}
	return merged;
}

/** Maximum pause within one gap. */
const MAX_PAUSE_SECONDS = 3;

/**
 * Measures how much of the voiced audio the words account for. Short pauses between words (`bridgeSeconds`) count as covered,
 * and so does `padSeconds` around each word, because engines place the edges of words differently than a voice detector.
 */
export function coverage(
	words: readonly Span[],
	voiced: readonly Span[],
	{ bridgeSeconds = 0.5, padSeconds = 0.2, minMissingSeconds = 1 } = {},
): Coverage {
	const wordSpans = merge(
		words.map(({ start, end }) => ({ start: start - padSeconds, end: end + padSeconds })),
		bridgeSeconds,
	);
	let voicedSeconds = 0;
	let coveredSeconds = 0;
	const gaps = new Gaps(wordSpans);
	let next = 0;
	for (const voice of merge(voiced, 0)) {
		voicedSeconds += voice.end - voice.start;
		while (next < wordSpans.length && (wordSpans[next]?.end ?? 0) <= voice.start) next++;
		let position = voice.start;
		for (let index = next; index < wordSpans.length; index++) {
			const span = wordSpans[index];
			if (!span || span.start >= voice.end) break;
			const from = Math.max(span.start, voice.start);
			const to = Math.min(span.end, voice.end);
			gaps.add(position, from);
			coveredSeconds += to - from;
			position = to;
		}
		gaps.add(position, voice.end);
	}
	return {
		coverage: voicedSeconds > 0 ? Math.min(1, coveredSeconds / voicedSeconds) : null,
		voicedSeconds,
		coveredSeconds,
		missing: gaps.longest(minMissingSeconds),
	};
}

/** Voiced spans without words. Spans with only a pause between them form one gap. */
class Gaps {
	private readonly gaps: (Span & { voicedSeconds: number })[] = [];
	private readonly wordSpans: readonly Span[];
	private next = 0;

	constructor(wordSpans: readonly Span[]) {
		this.wordSpans = wordSpans;
	}

	/** Adds a voiced span without words. Spans must come in time order. */
	add(start: number, end: number): void {
		if (end <= start) return;
		const last = this.gaps.at(-1);
		if (last && start - last.end <= MAX_PAUSE_SECONDS && !this.hasWords(last.end, start)) {
			last.end = end;
			last.voicedSeconds += end - start;
		} else this.gaps.push({ start, end, voicedSeconds: end - start });
	}

	/** Returns the gaps with at least this much voice, longest first. */
	longest(minVoicedSeconds: number): Span[] {
		return this.gaps
			.filter(({ voicedSeconds }) => voicedSeconds >= minVoicedSeconds)
			.sort((a, b) => b.end - b.start - (a.end - a.start))
			.map(({ start, end }) => ({ start, end }));
	}

	private hasWords(from: number, to: number): boolean {
		while (this.next < this.wordSpans.length && (this.wordSpans[this.next] as Span).end <= from) this.next++;
		return ((this.wordSpans[this.next] as Span | undefined)?.start ?? Number.POSITIVE_INFINITY) < to;
	}
}

/** The voiced spans of a chunk, in seconds from the start of the recording. Null where voice detection made no claim. */
export type ChunkVoice = { start: number; end: number; voiced: readonly Span[] | null };

/** Maximum share of the recording without voice detection. Beyond it the rest says too little about the whole. */
const MAX_UNKNOWN_SHARE = 0.25;

/**
 * Measures the coverage of a whole recording. Audio that two chunks share counts once. Chunks without voice detection are left
 * out; returns null if there are too many of them.
 */
export function coverageOfChunks(words: readonly Span[], chunks: readonly ChunkVoice[]): Coverage | null {
	const secondsOf = (spans: readonly Span[]) =>
		merge(spans, 0).reduce((sum, { start, end }) => sum + end - start, 0);
	const unknown = secondsOf(chunks.filter(({ voiced }) => voiced === null));
	if (unknown > secondsOf(chunks) * MAX_UNKNOWN_SHARE) return null;
	return coverage(
		words,
		chunks.flatMap(({ voiced }) => voiced ?? []),
	);
}
