/** A recognised word. `start` and `end` are seconds; punctuation is attached to `word`. */
export type TimedWord = {
	word: string;
	start: number;
	end: number;
	/** Speaker label, if the engine tells speakers apart. */
	speaker?: string | null;
	/** Index or name of the audio channel, if channels were recognised separately. */
	channel?: number | string | null;
};

/** Characters of scripts that are written without spaces between words. */
const CONTINUOUS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303F\uFF00-\uFFEF]`;
const ENDS_CONTINUOUS = new RegExp(`${CONTINUOUS}$`, "u");
const STARTS_CONTINUOUS = new RegExp(`^${CONTINUOUS}`, "u");

/**
 * Reports whether a space belongs between two neighbouring words. Returns false only if both characters at the boundary are of
 * scripts without spaces, such as Chinese or Thai. "我" and "like" get a space.
 */
export function needsSpace(left: string, right: string): boolean {
	// Tests the last character of the left word only, because a word may be long.
	return !(ENDS_CONTINUOUS.test(left.slice(-2)) && STARTS_CONTINUOUS.test(right));
}

/** Joins words into running text. */
export function joinWords(words: readonly string[]): string {
	let text = "";
	let last = "";
	for (const word of words) {
		text += last && needsSpace(last, word) ? ` ${word}` : word;
		last = word || last;
	}
	return text;
}

/** Puts a word on one line: replaces inner white space and control characters, some of which end a line, with one space. */
export function cleanWord(word: string): string {
	return word.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Counts the characters that a reader sees: code points, not UTF-16 units. */
export function textLength(text: string): number {
	let length = 0;
	for (const _ of text) length++;
	return length;
}
