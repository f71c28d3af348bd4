import type { TimedWord } from "./words.ts";

/** Two readings of one moment: index in the left list, index in the right list. */
export type Pair = { left: number; right: number; sameText: boolean };

/** Two readings of one word may be this far apart: engines place words differently when the context differs. */
const TOLERANCE_SECONDS = 0.6;
/** Different texts count as readings of the same word only where they cover mostly the same time. */
const SAME_SLOT = 0.5;

/** Far more than is said in an overlap: two readings that are longer cannot be right, and would take gigabytes. */
const MAX_CELLS = 4_000_000;

const normalise = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const middle = (word: TimedWord) => (word.start + word.end) / 2;

function overlapShare(a: TimedWord, b: TimedWord): number {
	const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
	const whole = Math.max(a.end, b.end) - Math.min(a.start, b.start);
	return whole > 0 ? Math.max(0, common) / whole : 1;
}

/**
 * Longest common subsequence of two readings of the same stretch, weighted by time: equal words on the same spot score
 * most, so that in "no no no" each "no" meets itself and not its neighbour. Words of different text that cover the same
 * time are paired with a low score. A first pass finds by how much the two clocks differ (coders delay, engines round),
 * the second aligns with that taken off.
 */
export function alignWords(left: readonly TimedWord[], right: readonly TimedWord[]): Pair[] {
	if (left.length * right.length > MAX_CELLS) return [];
	const pairs = alignOnce(left, right);
	const delays = pairs
		.filter((pair) => pair.sameText)
		.map((pair) => middle(right[pair.right] as TimedWord) - middle(left[pair.left] as TimedWord))
		.sort((a, b) => a - b);
	const [lower = 0, upper = 0] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
	const delay = Math.abs(lower) < Math.abs(upper) ? lower : upper;
	if (delay === 0) return pairs;
	const moved = right.map((word) => ({ ...word, start: word.start - delay, end: word.end - delay }));
	return alignOnce(left, moved);
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
	return share >= SAME_SLOT ? 0.25 * share : 0;
}
