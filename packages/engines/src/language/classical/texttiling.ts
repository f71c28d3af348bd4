import type { Sentence } from "../language-engine.ts";
import { countOf, termsIn } from "./terms.ts";

/** Number of terms to compare on each side of a gap. */
const WINDOW_TERMS = 50;
/** Minimum length of a chapter. */
const MIN_CHAPTER_SECONDS = 60;
/** Minimum depth of a valley, in standard deviations above the mean. */
const MIN_DEPTH = 0.5;

/**
 * Finds changes of vocabulary, and returns the indexes of the sentences that begin a chapter. The first sentence always does.
 *
 * Uses TextTiling (Hearst, 1997), https://aclanthology.org/J97-1003/. Gaps between sentences are scored by the cosine of the terms before and
 * after. Valleys that are deep for this text become boundaries, the deepest first.
 */
export function findBoundaries(sentences: readonly Sentence[]): number[] {
	const terms = sentences.map(({ text }) => termsIn(text).map(({ stem }) => stem));
	const gaps = sentences.slice(1).map((_, index) => index + 1);
	const depths = depthsOf(gaps.map((gap) => cohesionAt(terms, gap)));
	const mean = average(depths);
	const deviation = Math.sqrt(average(depths.map((depth) => (depth - mean) ** 2)));
	const valleys = gaps
		.map((gap, index) => ({ gap, depth: depths[index] ?? 0 }))
		.filter(({ depth }) => depth > 0 && depth > mean + MIN_DEPTH * deviation)
		.sort((a, b) => b.depth - a.depth || a.gap - b.gap);
	const startOf = (index: number) => sentences[index]?.start ?? 0;
	const boundaries = [0];
	const end = sentences.reduce((latest, sentence) => Math.max(latest, sentence.end), 0);
	for (const { gap } of valleys) {
		const edges = [...boundaries.map(startOf), end];
		if (edges.every((edge) => Math.abs(edge - startOf(gap)) >= MIN_CHAPTER_SECONDS)) boundaries.push(gap);
	}
	return boundaries.sort((a, b) => a - b);
}

/** Returns the cosine of the term counts on both sides of the gap before sentence `gap`. */
function cohesionAt(terms: readonly string[][], gap: number): number {
	const before: string[] = [];
	for (let at = gap - 1; at >= 0 && before.length < WINDOW_TERMS; at--) before.push(...(terms[at] ?? []));
	const after: string[] = [];
	for (let at = gap; at < terms.length && after.length < WINDOW_TERMS; at++) after.push(...(terms[at] ?? []));
	const left = countOf(before.slice(0, WINDOW_TERMS));
	const right = countOf(after.slice(0, WINDOW_TERMS));
	let product = 0;
	for (const [stem, count] of left) product += count * (right.get(stem) ?? 0);
	const norm = (counts: Map<string, number>) =>
		Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0));
	return product === 0 ? 0 : product / (norm(left) * norm(right));
}

/** Returns how far each score lies below the peaks to its left and right. */
function depthsOf(scores: readonly number[]): number[] {
	const peak = (from: number, step: 1 | -1): number => {
		let highest = scores[from] ?? 0;
		for (let at = from + step; (scores[at] ?? -1) >= highest; at += step) highest = scores[at] ?? 0;
		return highest;
	};
	return scores.map((score, index) => peak(index, -1) + peak(index, 1) - 2 * score);
}

const average = (values: readonly number[]): number =>
	values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
