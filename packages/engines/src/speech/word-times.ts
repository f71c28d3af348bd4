import type { RecognisedSegment, RecognisedWord } from "./speech-engine.ts";

/** A word whose times may be missing in the engine's response. */
export type LooseWord = Omit<RecognisedWord, "start" | "end"> & { start: number | null; end: number | null };

/** Splits a segment into words, each with a share of the time in proportion to its length in characters. */
export function spreadWords(segment: RecognisedSegment): RecognisedWord[] {
	const texts = segment.text.split(/\s+/).filter(Boolean);
	const total = texts.reduce((sum, text) => sum + text.length, 0);
	const seconds = Math.max(0, segment.end - segment.start);
	let before = 0;
	return texts.map((word) => {
		const start = segment.start + (seconds * before) / total;
		before += word.length;
		return {
			word,
			start,
			end: segment.start + (seconds * before) / total,
			confidence: null,
			...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
			...(segment.channel === undefined ? {} : { channel: segment.channel }),
		};
	});
}

/**
 * Fills missing times from the neighbours, because aligners omit words that they cannot place, such as numbers. Makes times run forwards: `start`
 * never falls, and `end` is never before `start`.
 */
export function fillTimes(words: readonly LooseWord[], endSeconds: number | null): RecognisedWord[] {
	const timed = nextTimed(words);
	const filled: RecognisedWord[] = [];
	let previousEnd = 0;
	let latest = 0;
	for (let index = 0; index < words.length; index++) {
		const word = words[index] as LooseWord;
		const start = Math.max(word.start ?? previousEnd, word.channel === undefined ? latest : 0);
		let end = word.end;
		if (end === null) {
			const following = timed[index + 1] as number;
			const until = Math.max(start, words[following]?.start ?? endSeconds ?? start);
			end = start + (until - start) / (following - index);
		}
		const placed = { ...word, start, end: Math.max(start, end) };
		filled.push(placed);
		latest = start;
		previousEnd = placed.end;
	}
	return filled;
}

/** Returns, for each index and the one behind the last, the index of the first word from there on with a known start. */
function nextTimed(words: readonly LooseWord[]): number[] {
	const next = [words.length];
	for (let index = words.length - 1; index >= 0; index--)
		next.push(words[index]?.start === null ? (next.at(-1) as number) : index);
	return next.reverse();
}
