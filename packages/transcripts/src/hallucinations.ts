import type { Span } from "./coverage.ts";

/**
 * Room left at both ends of a silence. Levels place the edges of words within 0.2 s of where they are (measured on speech 50
 * dB below full scale), and engines are off by as much again.
 */
const PAD_SECONDS = 0.5;

/**
 * Parts words from those that were "heard" where there is nothing to hear: engines that were trained on captions invent some
 * in silence. Only a word that lies wholly within a silence goes, and half a second from its ends.
 * @param silent sorted, in the same time as the words.
 */
export function withoutInvented<W extends Span>(
	words: readonly W[],
	silent: readonly Span[],
): { kept: W[]; invented: W[] } {
	const kept: W[] = [];
	const invented: W[] = [];
	for (const word of words) {
		const within = silent.some(
			({ start, end }) => word.start >= start + PAD_SECONDS && word.end <= end - PAD_SECONDS,
		);
		(within ? invented : kept).push(word);
	}
	return { kept, invented };
}
