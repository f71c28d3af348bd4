import type { TimedWord } from "./words.ts";

/** Two words of the same moment, as indices into the left and the right list. */
export type Pair = { left: number; right: number; sameText: boolean };

/** Maximum distance between two readings of one word. Engines place a word differently when its context differs. */
const TOLERANCE_SECONDS = 0.6;
/** Share of their time that two words of different text must have in common to count as readings of one word. */
const MIN_SHARED_TIME = 0.5;

/** Maximum size of the alignment table. Longer readings of an overlap cannot be right, and would take gigabytes. */
const MAX_CELLS = 4_000_000;

const normalise = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const middle = (word: TimedWord) => (word.start + word.end) / 2;

function overlapShare(a: TimedWord, b: TimedWord): number {
	const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
	const whole = Math.max(a.end, b.end) - Math.min(a.start, b.start);
	return whole > 0 ? Math.max(0, common) / whole : 1;
}

/**
 * Pairs the words of two readings of the same audio.
 *
 * Finds the longest common subsequence, weighted by time. Equal words at the same time score most, so that in "no no no" each
 * "no" meets itself and not its neighbour. Words of different text that cover the same time score low. A first pass finds
 * the time offset between the readings (coders delay, engines round); a second pass aligns with the offset removed.
 *
 * Returns no pairs if the readings are too long to align.
 */
export function alignWords(left: readonly TimedWord[], right: readonly TimedWord[]): Pair[] {
	if (left.length * right.length > MAX_CELLS) return [];
	const pairs = alignOnce(left, right);
	const offsets = pairs
		.filter((pair) => pair.sameText)
		.map((pair) => middle(right[pair.right] as TimedWord) - middle(left[pair.left] as TimedWord))
		.sort((a, b) => a - b);
	const [lower = 0, upper = 0] = [offsets[(offsets.length - 1) >> 1], offsets[offsets.length >> 1]];
	const offset = Math.abs(lower) < Math.abs(upper) ? lower : upper;
	if (offset === 0) return pairs;
	const shifted = right.map((word) => ({ ...word, start: word.start - offset, end: word.end - offset }));
	return alignOnce(left, shifted);
}

function alignOnce(left: readonly TimedWord[], right: readonly TimedWord[]): Pair[] {
	const leftTexts = left.map((word) => normalise(word.word));
	const rightTexts = right.map((word) => normalise(word.word));
	const columns = right.length + 1;
	const best = new Float64Array((left.length + 1) * columns);
	const scores = new Float64Array((left.length + 1) * columns);
	for (let i = left.length - 1; i >= 0; i--) {
		for (let j = right.length - 1; j >= 0; j--) {
			const cell = i * columns + j;
			const score = pairScore(left[i], right[j], leftTexts[i] === rightTexts[j]);
			scores[cell] = score;
			const paired = score > 0 ? score + (best[cell + columns + 1] ?? 0) : 0;
			best[cell] = Math.max(best[cell + columns] ?? 0, best[cell + 1] ?? 0, paired);
		}
	}
	const pairs: Pair[] = [];
	for (let i = 0, j = 0; i < left.length && j < right.length; ) {
		const cell = i * columns + j;
		const score = scores[cell] ?? 0;
		if (score > 0 && best[cell] === score + (best[cell + columns + 1] ?? 0)) {
			pairs.push({ left: i++, right: j++, sameText: leftTexts[i - 1] === rightTexts[j - 1] });
		} else if ((best[cell + columns] ?? 0) >= (best[cell + 1] ?? 0)) i++;
		else j++;
	}
	return pairs;
}

function pairScore(a: TimedWord | undefined, b: TimedWord | undefined, sameText: boolean): number {
	if (!a || !b) return 0;
	const distance = Math.abs(middle(a) - middle(b));
	const share = overlapShare(a, b);
	if (sameText)
		return distance > TOLERANCE_SECONDS ? 0 : 0.8 * share + 0.2 * (1 - distance / TOLERANCE_SECONDS);
	return share >= MIN_SHARED_TIME ? 0.25 * share : 0;
}
