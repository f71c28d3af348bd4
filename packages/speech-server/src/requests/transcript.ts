/** A word of the transcript. Times are seconds from the start of the recording. */
export interface Word {
	word: string;
	start: number;
	end: number;
	/** Posterior probability from 0 to 1. */
	probability: number;
}

/** A few words, no longer than a subtitle and never empty. */
export interface Segment {
	start: number;
	end: number;
	text: string;
	words: Word[];
}

export interface Transcript {
	/** Duration in seconds. */
	duration: number;
	words: Word[];
	warnings: string[];
}

/** Pause that ends a segment. */
const PAUSE_SECONDS = 0.7;
const MAX_SECONDS = 7;
const MAX_CHARACTERS = 84;

/** Groups words into segments. A segment ends at a pause, or at the widest gap if it would exceed two lines or seven seconds. */
export function toSegments(words: readonly Word[]): Segment[] {
	const segments: Segment[] = [];
	let open: Word[] = [];
	const close = (count: number) => {
		const [first, last] = [open[0], open[count - 1]];
		if (!first || !last) return;
		const closed = open.slice(0, count);
		segments.push({ start: first.start, end: last.end, text: toText(closed), words: closed });
		open = open.slice(count);
	};
	for (const word of words) {
		if (word.start - (open.at(-1)?.end ?? word.start) > PAUSE_SECONDS) close(open.length);
		while (isTooLong([...open, word])) close(widestGap([...open, word]));
		open.push(word);
	}
	close(open.length);
	return segments;
}

/** Joins words into text. */
export function toText(words: readonly Word[]): string {
	return words.map(({ word }) => word).join(" ");
}

function isTooLong(words: readonly Word[]): boolean {
	const [first, last] = [words[0], words.at(-1)];
	if (words.length < 2 || !first || !last) return false;
	return last.end - first.start > MAX_SECONDS || toText(words).length > MAX_CHARACTERS;
}

/** Finds the index with the longest pause before it, in the second half, or the last index if there is no pause. */
function widestGap(words: readonly Word[]): number {
	let widest = words.length - 1;
	for (let i = words.length - 1; i >= words.length / 2; i--)
		if (gapBefore(words, i) > gapBefore(words, widest)) widest = i;
	return widest;
}

function gapBefore(words: readonly Word[], index: number): number {
	return (words[index]?.start ?? 0) - (words[index - 1]?.end ?? 0);
}
