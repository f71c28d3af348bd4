/** A recognised word. `start` and `end` are seconds; punctuation is attached to `word`. */
export type TimedWord = {
	word: string;
	start: number;
	end: number;
	/** Label of the speaker, when the engine tells speakers apart. */
	speaker?: string | null;
	/** Index or name of the audio channel, when channels were recognised apart. */
	channel?: number | string | null;
};

// Scripts written without spaces between words.
const CONTINUOUS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303F\uFF00-\uFFEF]`;
const ENDS_CONTINUOUS = new RegExp(`${CONTINUOUS}$`, "u");
const STARTS_CONTINUOUS = new RegExp(`^${CONTINUOUS}`, "u");

/** Whether a space belongs between two neighbouring words: not inside scripts that are written without spaces. */
export function needsSpace(left: string, right: string): boolean {
	// Of the left one only its last character, for it may be long.
	return !(ENDS_CONTINUOUS.test(left.slice(-2)) && STARTS_CONTINUOUS.test(right));
}

/** The words as running text. */
export function joinWords(words: readonly string[]): string {
	let text = "";
	let last = "";
	for (const word of words) {
		text += last && needsSpace(last, word) ? ` ${word}` : word;
		last = word || last;
	}
	return text;
}

/** One word's text on one line: inner white space and control characters, some of which end a line, become one space. */
export function cleanWord(word: string): string {
	return word.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Length as a reader counts it: code points, not UTF-16 units. */
export function textLength(text: string): number {
	let length = 0;
	for (const _ of text) length++;
	return length;
}
