import { alignWords, type Pair } from "./align.ts";
import type { TimedWord } from "./words.ts";

/** The words that an engine recognised in one chunk. Word times count from the chunk's first packet, at `startSeconds`. */
export type RecognisedChunk<W extends TimedWord> = {
	startSeconds: number;
	endSeconds: number;
	words: readonly W[];
};

/** Minimum overlap to align. Chunks that share less were cut in a pause. */
const MIN_OVERLAP_SECONDS = 0.05;
/** Words this far outside the overlap still take part in the alignment. */
const PAD_SECONDS = 0.25;

const middle = (word: TimedWord) => (word.start + word.end) / 2;

/**
 * Joins the words of chunks, which come in time order, into one list with absolute times.
 *
 * Where two chunks overlap, their readings are aligned, and the list switches from left to right at the matching word nearest
 * the middle of the overlap: the left chunk knows what came before it, the right one what comes after. Without a match the
 * list switches in the middle, by time. Channels are joined separately.
 *
 * Speaker labels hold within a chunk only, so they are renamed `S1`, `S2` …. A speaker who is recognised on both sides of an
 * overlap keeps the name.
 */
export function joinRecognitions<W extends TimedWord>(chunks: readonly RecognisedChunk<W>[]): W[] {
	const channels = new Set(chunks.flatMap((chunk) => chunk.words.map((word) => word.channel ?? null)));
	const speakers = { count: 0 };
	if (channels.size <= 1) return joinStream(chunks, speakers);
	return [...channels]
		.flatMap((channel) =>
			joinStream(
				chunks.map((chunk) => ({
					...chunk,
					words: chunk.words.filter((word) => (word.channel ?? null) === channel),
				})),
				speakers,
			),
		)
		.sort((a, b) => a.start - b.start);
}

function joinStream<W extends TimedWord>(
	chunks: readonly RecognisedChunk<W>[],
	speakers: { count: number },
): W[] {
	const joined: W[] = [];
	let coveredUntil = Number.NEGATIVE_INFINITY;
	for (const chunk of chunks) {
		const words = atAbsoluteTimes(chunk);
		const from = chunk.startSeconds;
		const to = Math.min(coveredUntil, chunk.endSeconds);
		if (to - from < MIN_OVERLAP_SECONDS) append(joined, withSpeakers(words, new Map(), speakers));
		else {
			let tail = joined.length;
			while (tail > 0 && middle(joined[tail - 1] as W) >= from - PAD_SECONDS) tail--;
			const left = joined.splice(tail);
			const shared = words.findIndex((word) => middle(word) >= to + PAD_SECONDS);
			const right = shared === -1 ? words : words.slice(0, shared);
			const pairs = alignWords(left, right);
			const named = withSpeakers(words, matchSpeakers(left, right, pairs), speakers);
			const seam = findSeam(left, right, pairs, (from + to) / 2);
			append(joined, left.slice(0, seam.left));
			append(joined, named.slice(seam.right));
		}
		coveredUntil = Math.max(coveredUntil, chunk.endSeconds);
	}
	return joined;
}

/** Returns the words with absolute times. An engine may place a word a little outside its chunk; it moves to the chunk's edge. */
function atAbsoluteTimes<W extends TimedWord>(chunk: RecognisedChunk<W>): W[] {
	const inside = (seconds: number) =>
		Math.min(Math.max(chunk.startSeconds + seconds, chunk.startSeconds), chunk.endSeconds);
	return chunk.words.map((word) => {
		const start = inside(word.start);
		return { ...word, start, end: Math.max(start, inside(word.end)) };
	});
}

/** Finds where to switch: how many words of the left reading to keep, and from which word of the right one to continue. */
function findSeam(
	left: readonly TimedWord[],
	right: readonly TimedWord[],
	pairs: readonly Pair[],
	middleSeconds: number,
): { left: number; right: number } {
	const same = pairs.filter((pair) => pair.sameText);
	let nearest: Pair | undefined;
	let distance = Number.POSITIVE_INFINITY;
	for (const pair of same.length > 0 ? same : pairs) {
		const away = Math.abs(middle(left[pair.left] as TimedWord) - middleSeconds);
		if (away < distance) [nearest, distance] = [pair, away];
	}
	if (nearest) {
		// If the readings differ, the one farther from its chunk's edge is better.
		const keepLeft = nearest.sameText || middle(left[nearest.left] as TimedWord) < middleSeconds ? 1 : 0;
		return { left: nearest.left + keepLeft, right: nearest.right + keepLeft };
	}
	const keep = left.findIndex((word) => middle(word) >= middleSeconds);
	const resume = right.findIndex((word) => middle(word) >= middleSeconds);
	return { left: keep === -1 ? left.length : keep, right: resume === -1 ? right.length : resume };
}

/** Appends in place. At the seam two readings may disagree by a fraction of a second; times never run backwards. */
function append<W extends TimedWord>(joined: W[], words: readonly W[]): void {
	const last = joined.at(-1);
	const first = words[0];
	if (last && first && first.start < last.end)
		joined[joined.length - 1] = { ...last, end: Math.max(first.start, last.start) };
	let earliest = last?.start ?? Number.NEGATIVE_INFINITY;
	for (const word of words) {
		const start = Math.max(word.start, earliest);
		joined.push(start === word.start ? word : { ...word, start, end: Math.max(word.end, start) });
		earliest = start;
	}
}

/** Maps speakers of the right reading to those of the left by the words that both recognised. Gives each name once. */
function matchSpeakers(
	left: readonly TimedWord[],
	right: readonly TimedWord[],
	pairs: readonly Pair[],
): Map<string, string> {
	const votes = new Map<string, { from: string; to: string; count: number }>();
	for (const pair of pairs) {
		const to = left[pair.left]?.speaker;
		const from = right[pair.right]?.speaker;
		if (!from || !to) continue;
		const key = JSON.stringify([from, to]);
		const vote = votes.get(key) ?? { from, to, count: 0 };
		vote.count++;
		votes.set(key, vote);
	}
	const names = new Map<string, string>();
	const taken = new Set<string>();
	for (const { from, to } of [...votes.values()].sort((a, b) => b.count - a.count)) {
		if (names.has(from) || taken.has(to)) continue;
		names.set(from, to);
		taken.add(to);
	}
	return names;
}

function withSpeakers<W extends TimedWord>(
	words: W[],
	names: Map<string, string>,
	speakers: { count: number },
): W[] {
	return words.map((word) => {
		if (!word.speaker) return word;
		let name = names.get(word.speaker);
		if (!name) {
			name = `S${++speakers.count}`;
			names.set(word.speaker, name);
		}
		return { ...word, speaker: name };
	});
}
