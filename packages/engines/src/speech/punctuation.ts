import type { LooseWord } from "./word-times.ts";

const LETTER = /[\p{L}\p{N}]/u;
const CONTINUOUS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const OPENING = /^[([{¿¡"'“«]+$/u;

/**
 * Joins the word pieces that some servers send. If words have a leading space (" Kub", "ern", "etes", ","), a piece without one continues the
 * word before it. Otherwise only bare punctuation joins a neighbour. The confidence of a joined word is the product of its pieces'.
 */
export function joinPieces(pieces: readonly LooseWord[]): LooseWord[] {
	const spaced = pieces.some((piece) => /^\s/.test(piece.word));
	const words: LooseWord[] = [];
	let opening: LooseWord | undefined;
	for (const raw of pieces) {
		const piece = { ...raw, word: raw.word.trim() };
		if (!piece.word) continue;
		const last = words.at(-1);
		const bare = !LETTER.test(piece.word);
		const continues = spaced
			? !/^\s/.test(raw.word) && (bare || !isContinuous(last?.word ?? "", piece.word))
			: bare && !OPENING.test(piece.word);
		if (last && continues && !opening) {
			words[words.length - 1] = merge(last, piece);
		} else if (bare) {
			opening = opening ? merge(opening, piece) : piece;
		} else {
			words.push(opening ? merge(opening, piece) : piece);
			opening = undefined;
		}
	}
	const last = words.at(-1);
	if (opening && last) words[words.length - 1] = merge(last, opening);
	return words;
}

/** Joins two pieces into one word. Bare punctuation adds its text, but changes neither times nor confidence. */
function merge(left: LooseWord, right: LooseWord): LooseWord {
	const word = left.word + right.word;
	if (!LETTER.test(right.word)) return { ...left, word };
	if (!LETTER.test(left.word)) return { ...right, word };
	const confidence =
		left.confidence === null || right.confidence === null ? null : left.confidence * right.confidence;
	return { ...left, word, end: right.end ?? left.end, confidence };
}

/**
 * Adds the punctuation of the running text to words. OpenAI sends "hello", "world" next to "Hello, world!". Words without a space between them
 * in the text ("twenty-one") become one. If text and words differ, the words stay unchanged.
 */
export function punctuate(words: readonly LooseWord[], text: string): LooseWord[] {
	if (words.some((word) => /[.,!?;:…。、！？]$/u.test(word.word))) return [...words];
	const positions = locate(words, text);
	if (!positions) return [...words];
	const punctuated: LooseWord[] = [];
	let leading = text.slice(0, positions[0]?.from ?? 0).trimStart();
	let open: LooseWord | undefined;
	words.forEach((word, index) => {
		const position = positions[index] as Position;
		const next = positions[index + 1];
		const gap = splitGap(text.slice(position.to, next?.from ?? text.length));
		const trailing = next ? gap.trailing : text.slice(position.to).trimEnd();
		// Takes capitals from the text, unless the word has its own, as from a vocabulary.
		const plain = word.word === word.word.toLowerCase();
		const spelled = plain ? text.slice(position.from, position.to) : word.word;
		const written = { ...word, word: `${leading}${spelled}${trailing}` };
		const whole: LooseWord = open ? merge(open, written) : written;
		leading = next ? gap.leading : "";
		const together = next && !gap.spaced && !isContinuous(word.word, words[index + 1]?.word ?? "");
		open = together ? whole : undefined;
		if (!together) punctuated.push(whole);
	});
	return punctuated;
}

type Position = { from: number; to: number };

/** Finds each word in the text, in order. Returns null unless only punctuation lies between the words. */
function locate(words: readonly LooseWord[], text: string): Position[] | null {
	const lower = text.toLowerCase();
	if (lower.length !== text.length) return null;
	const positions: Position[] = [];
	let cursor = 0;
	for (const { word } of words) {
		const from = lower.indexOf(word.toLowerCase(), cursor);
		if (from === -1 || LETTER.test(text.slice(cursor, from))) return null;
		cursor = from + word.length;
		positions.push({ from, to: cursor });
	}
	return LETTER.test(text.slice(cursor)) ? null : positions;
}

/** Splits the characters between two words. Those up to the last space belong to the left word (", —"), the rest to the right one. */
function splitGap(gap: string): { trailing: string; leading: string; spaced: boolean } {
	const parts = gap.split(/\s+/);
	if (parts.length === 1) return { trailing: gap, leading: "", spaced: false };
	const leading = parts.pop() ?? "";
	const [first = "", ...alone] = parts;
	return { trailing: [first, ...alone.filter(Boolean)].join(" "), leading, spaced: true };
}

/** Reports whether both words are of a script without spaces, where a missing space does not make one word. */
function isContinuous(left: string, right: string): boolean {
	return CONTINUOUS.test(left.at(-1) ?? "") && CONTINUOUS.test(right);
}
