/** A stretch of time, in seconds. */
export type Span = { start: number; end: number };

export type Coverage = {
	/** Share of the voiced time that words cover, 0 to 1; null when nothing is voiced. */
	coverage: number | null;
	voicedSeconds: number;
	coveredSeconds: number;
	/** Voiced stretches without a word, longest first. */
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
	const missing: Span[] = [];
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
			if (from - position >= minMissingSeconds) missing.push({ start: position, end: from });
			coveredSeconds += to - from;
			position = to;
		}
		if (voice.end - position >= minMissingSeconds) missing.push({ start: position, end: voice.end });
	}
	missing.sort((a, b) => b.end - b.start - (a.end - a.start));
	return {
		coverage: voicedSeconds > 0 ? Math.min(1, coveredSeconds / voicedSeconds) : null,
		voicedSeconds,
		coveredSeconds,
		missing,
	};
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
