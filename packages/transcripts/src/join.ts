import { alignWords, type Pair } from "./align.ts";
import type { TimedWord } from "./words.ts";

/** What an engine heard in one chunk. Word times are relative to the chunk's first packet, which lies at `startSeconds`. */
export type RecognisedChunk<W extends TimedWord> = {
	startSeconds: number;
	endSeconds: number;
	words: readonly W[];
};

/** Chunks that share less than this were cut side by side. */
const MIN_OVERLAP_SECONDS = 0.05;
/** Words this far outside the shared stretch still take part in the comparison. */
const PAD_SECONDS = 0.25;

const middle = (word: TimedWord) => (word.start + word.end) / 2;

/**
 * One word list with absolute times out of chunks in time order. Where two chunks overlap, the readings are aligned and the
 * list changes over at the matching word nearest the middle of the overlap: the left chunk knows what came before it, the
 * right one what comes after. Without a match it changes over in the middle, by time. Channels are joined apart. Speaker
 * labels hold within a chunk only, so they are renamed S1, S2 …; a speaker heard on both sides of an overlap keeps the name.
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
	let heardUntil = Number.NEGATIVE_INFINITY;
	for (const chunk of chunks) {
		const words = atAbsoluteTimes(chunk);
		const from = chunk.startSeconds;
		const to = Math.min(heardUntil, chunk.endSeconds);
		if (to - from < MIN_OVERLAP_SECONDS) append(joined, withSpeakers(words, new Map(), speakers));
		else {
			let tail = joined.length;
			while (tail > 0 && middle(joined[tail - 1] as W) >= from - PAD_SECONDS) tail--;
			const left = joined.splice(tail);
			const shared = words.findIndex((word) => middle(word) >= to + PAD_SECONDS);
			const right = shared === -1 ? words : words.slice(0, shared);
			const pairs = alignWords(left, right);
			const named = withSpeakers(words, matchSpeakers(left, right, pairs), speakers);
			const change = changeOver(left, right, pairs, (from + to) / 2);
			append(joined, left.slice(0, change.left));
			append(joined, named.slice(change.right));
		}
		heardUntil = Math.max(heardUntil, chunk.endSeconds);
	}
	return joined;
}

/** Engines may place a word a little outside what they were given; it is pulled back to the chunk's edge. */
function atAbsoluteTimes<W extends TimedWord>(chunk: RecognisedChunk<W>): W[] {
	const inside = (seconds: number) =>
		Math.min(Math.max(chunk.startSeconds + seconds, chunk.startSeconds), chunk.endSeconds);
	return chunk.words.map((word) => {
		const start = inside(word.start);
		return { ...word, start, end: Math.max(start, inside(word.end)) };
	});
}

/** How many words of the left reading to keep, and from which word of the right reading to go on. */
function changeOver(
	left: readonly TimedWord[],
	right: readonly TimedWord[],
	pairs: readonly Pair[],
	border: number,
): { left: number; right: number } {
	const same = pairs.filter((pair) => pair.sameText);
	let nearest: Pair | undefined;
	let distance = Number.POSITIVE_INFINITY;
	for (const pair of same.length > 0 ? same : pairs) {
		const away = Math.abs(middle(left[pair.left] as TimedWord) - border);
		if (away < distance) [nearest, distance] = [pair, away];
	}
	if (nearest) {
		// Of two differing readings the better one is farther from its chunk's edge.
		const keepLeft = nearest.sameText || middle(left[nearest.left] as TimedWord) < border ? 1 : 0;
		return { left: nearest.left + keepLeft, right: nearest.right + keepLeft };
	}
	const keep = left.findIndex((word) => middle(word) >= border);
	const resume = right.findIndex((word) => middle(word) >= border);
	return { left: keep === -1 ? left.length : keep, right: resume === -1 ? right.length : resume };
}

/** Appends in place. At the seam two readings may disagree by a fraction of a second: times still never run backwards. */
function append<W extends TimedWord>(joined: W[], words: readonly W[]): void {
	const last = joined.at(-1);
	const first = words[0];
	if (last && first && first.start < last.end) {
		const start = Math.max(first.start, last.start);
		joined[joined.length - 1] = { ...last, end: Math.min(last.end, Math.max(start, last.start)) };
		joined.push({ ...first, start, end: Math.max(first.end, start) });
		for (let index = 1; index < words.length; index++) joined.push(words[index] as W);
		return;
	}
	for (const word of words) joined.push(word);
}

/** Which speaker of the right reading is which of the left, by the words both heard; each name is given once. */
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
