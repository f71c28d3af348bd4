/** A stretch of time, in seconds. */
export type Span = { start: number; end: number };

export type Coverage = {
	/** Share of the voiced time that words cover, 0 to 1; null when nothing is voiced. */
	coverage: number | null;
	voicedSeconds: number;
	coveredSeconds: number;
	/** Stretches that begin and end in voice, with a second of it or more and no word in them; longest first. */
	missing: Span[];
};

/** Sorted, merged spans; neighbours closer than `bridgeSeconds` become one. */
function merge(spans: readonly Span[], bridgeSeconds: number): Span[] {
	const merged: Span[] = [];
	for (const span of [...spans].sort((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last && span.start - last.end <= bridgeSeconds) last.end = Math.max(last.end, span.end);
		else if (span.end > span.start) merged.push({ ...span });
	}
	return merged;
}

/** Pauses up to here do not part stretches of speech that both lack words. */
const MAX_PAUSE_SECONDS = 3;

/**
 * How much of the voiced audio the words account for. Short pauses between words (`bridgeSeconds`) count as covered, and so
 * does `padSeconds` around each word, because engines cut word edges differently than a voice detector does.
 */
export function coverage(
	words: readonly Span[],
	voiced: readonly Span[],
	{ bridgeSeconds = 0.5, padSeconds = 0.2, minMissingSeconds = 1 } = {},
): Coverage {
	const spoken = merge(
		words.map(({ start, end }) => ({ start: start - padSeconds, end: end + padSeconds })),
		bridgeSeconds,
	);
	let voicedSeconds = 0;
	let coveredSeconds = 0;
	const gaps = new Gaps(spoken);
	let next = 0;
	for (const voice of merge(voiced, 0)) {
		voicedSeconds += voice.end - voice.start;
		while (next < spoken.length && (spoken[next]?.end ?? 0) <= voice.start) next++;
		let position = voice.start;
		for (let index = next; index < spoken.length; index++) {
			const span = spoken[index];
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

/** Speech without words: pieces with nothing but a pause between them are one gap. */
class Gaps {
	private readonly gaps: (Span & { voicedSeconds: number })[] = [];
	private readonly spoken: readonly Span[];
	private next = 0;

	constructor(spoken: readonly Span[]) {
		this.spoken = spoken;
	}

	/** Pieces come in order. */
	add(start: number, end: number): void {
		if (end <= start) return;
		const last = this.gaps.at(-1);
		if (last && start - last.end <= MAX_PAUSE_SECONDS && !this.hasWords(last.end, start)) {
			last.end = end;
			last.voicedSeconds += end - start;
		} else this.gaps.push({ start, end, voicedSeconds: end - start });
	}

	/** Those with so much speech in them, longest first. */
	longest(minVoicedSeconds: number): Span[] {
		return this.gaps
			.filter(({ voicedSeconds }) => voicedSeconds >= minVoicedSeconds)
			.sort((a, b) => b.end - b.start - (a.end - a.start))
			.map(({ start, end }) => ({ start, end }));
	}

	private hasWords(from: number, to: number): boolean {
		while (this.next < this.spoken.length && (this.spoken[this.next] as Span).end <= from) this.next++;
		return ((this.spoken[this.next] as Span | undefined)?.start ?? Number.POSITIVE_INFINITY) < to;
	}
}

/** What is known of a chunk; `voiced` is null where its levels did not tell. Seconds from the start of the recording. */
export type ChunkVoice = { start: number; end: number; voiced: readonly Span[] | null };

/** More than this unknown, and what is known says too little of the whole. */
const MAX_UNKNOWN_SHARE = 0.25;

/**
 * Coverage of a whole recording. Sound that two chunks share counts once; chunks whose levels did not tell are left out, and
 * null is the answer where they are too many.
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
