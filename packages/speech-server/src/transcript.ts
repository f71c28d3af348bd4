/** A word as it is written in the answer; seconds from the start of the recording. */
export interface Word {
	word: string;
	start: number;
	end: number;
	/** Posterior probability, 0 to 1. */
	probability: number;
}

/** A few words that belong together: no longer than a subtitle, never empty. */
export interface Segment {
	start: number;
	end: number;
	text: string;
	words: Word[];
}

export interface Transcript {
	/** Seconds. */
	duration: number;
	words: Word[];
	warnings: string[];
}

const PAUSE = 0.7;
const LONGEST = 7;
const MAX_CHARACTERS = 84;

/** Groups words to segments: cut at every pause, and where two lines or seven seconds would be exceeded, at the widest gap. */
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
		if (word.start - (open.at(-1)?.end ?? word.start) > PAUSE) close(open.length);
		while (isTooLong([...open, word])) close(widestGap([...open, word]));
		open.push(word);
	}
	close(open.length);
	return segments;
}

export function toText(words: readonly Word[]): string {
	return words.map(({ word }) => word).join(" ");
}

function isTooLong(words: readonly Word[]): boolean {
	const [first, last] = [words[0], words.at(-1)];
	if (words.length < 2 || !first || !last) return false;
	return last.end - first.start > LONGEST || toText(words).length > MAX_CHARACTERS;
}

/** The index before which the speaker paused longest, in the second half; the last one when nobody paused. */
function widestGap(words: readonly Word[]): number {
	let widest = words.length - 1;
	for (let i = words.length - 1; i >= words.length / 2; i--)
		if (gapBefore(words, i) > gapBefore(words, widest)) widest = i;
	return widest;
}

function gapBefore(words: readonly Word[], index: number): number {
	return (words[index]?.start ?? 0) - (words[index - 1]?.end ?? 0);
}
