/** A word as it is written in the answer; seconds from the start of the recording. */
export interface Word {
	word: string;
	start: number;
	end: number;
	/** Posterior probability, 0 to 1. */
	probability: number;
}

/** A few words that belong together: no longer than a subtitle. */
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

/** Groups words to segments: cut at pauses, and before one would be too much for two lines or seven seconds. */
export function toSegments(words: readonly Word[]): Segment[] {
	const segments: Segment[] = [];
	for (const word of words) {
		const last = segments.at(-1);
		if (
			last &&
			word.start - last.end <= PAUSE &&
			word.end - last.start <= LONGEST &&
			last.text.length + 1 + word.word.length <= MAX_CHARACTERS
		) {
			last.end = word.end;
			last.text += ` ${word.word}`;
			last.words.push(word);
		} else segments.push({ start: word.start, end: word.end, text: word.word, words: [word] });
	}
	return segments;
}

export function toText(words: readonly Word[]): string {
	return words.map(({ word }) => word).join(" ");
}
