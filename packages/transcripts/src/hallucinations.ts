import type { Span } from "./coverage.ts";

/**
 * Margin at both ends of a silence. Levels place the edges of words within 0.2 s (measured on speech 50 dB below full scale), and
 * engines are off by as much again.
 */
const PAD_SECONDS = 0.5;

/**
 * Separates hallucinated words from the others: words that an engine wrote into silence, as engines trained on captions do. A
 * word counts as hallucinated only if it lies wholly within one silence, half a second from both ends.
 * @param silent sorted by time, on the same time axis as the words.
 */
export function splitHallucinations<W extends Span>(
	words: readonly W[],
	silent: readonly Span[],
): { kept: W[]; hallucinated: W[] } {
	const kept: W[] = [];
	const hallucinated: W[] = [];
	for (const word of words) {
		const within = silent.some(
			({ start, end }) => word.start >= start + PAD_SECONDS && word.end <= end - PAD_SECONDS,
		);
		(within ? hallucinated : kept).push(word);
	}
	return { kept, hallucinated };
}
