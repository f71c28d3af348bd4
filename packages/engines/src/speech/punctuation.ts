import type { LooseWord } from "./word-times.ts";

const LETTER = /[\p{L}\p{N}]/u;
const CONTINUOUS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const OPENING = /^[([{¿¡"'“«]+$/u;

/**
 * Joins word pieces as some servers send them. Where words carry their leading space (" Kub", "ern", "etes", ","), a piece
 * without one continues the word before it; otherwise only bare punctuation is put to a neighbour. Confidence of a joined
 * word is the product of its pieces'.
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
			? !/^\s/.test(raw.word) && (bare || !continuous(last?.word ?? "", piece.word))
			: bare && !OPENING.test(piece.word);
		if (last && continues && !opening) {
			words[words.length - 1] = glue(last, piece);
		} else if (bare) {
			opening = opening ? glue(opening, piece) : piece;
		} else {
			words.push(opening ? glue(opening, piece) : piece);
			opening = undefined;
		}
	}
	const last = words.at(-1);
	if (opening && last) words[words.length - 1] = glue(last, opening);
	return words;
}

/** Two pieces as one word. Bare punctuation adds its text but neither time nor doubt. */
function glue(left: LooseWord, right: LooseWord): LooseWord {
	const word = left.word + right.word;
	if (!LETTER.test(right.word)) return { ...left, word };
	if (!LETTER.test(left.word)) return { ...right, word };
	const confidence =
		left.confidence === null || right.confidence === null ? null : left.confidence * right.confidence;
	return { ...left, word, end: right.end ?? left.end, confidence };
}

/**
 * Gives words the punctuation they have in the running text (OpenAI sends "hello", "world" beside "Hello, world!").
 * Words that the text writes without a space between ("twenty-one") become one. When text and words part, the words stay
 * as they are.
 */
export function punctuate(words: readonly LooseWord[], text: string): LooseWord[] {
	if (words.some((word) => /[.,!?;:…。、！？]$/u.test(word.word))) return [...words];
	const places = locate(words, text);
	if (!places) return [...words];
	const punctuated: LooseWord[] = [];
	let leading = text.slice(0, places[0]?.from ?? 0).trimStart();
	let open: LooseWord | undefined;
	words.forEach((word, index) => {
		const place = places[index] as Place;
		const next = places[index + 1];
		const gap = splitGap(text.slice(place.to, next?.from ?? text.length));
		const trailing = next ? gap.trailing : text.slice(place.to).trimEnd();
		// The text knows capitals that bare words lack; a word's own capitals (from a vocabulary) are kept.
		const plain = word.word === word.word.toLowerCase();
		const spelled = plain ? text.slice(place.from, place.to) : word.word;
		const written = { ...word, word: `${leading}${spelled}${trailing}` };
		const whole: LooseWord = open ? glue(open, written) : written;
		leading = next ? gap.leading : "";
		const together = next && !gap.spaced && !continuous(word.word, words[index + 1]?.word ?? "");
		open = together ? whole : undefined;
		if (!together) punctuated.push(whole);
	});
	return punctuated;
}

type Place = { from: number; to: number };

/** Where each word stands in the text, in order; null unless only punctuation lies between them. */
function locate(words: readonly LooseWord[], text: string): Place[] | null {
	const lower = text.toLowerCase();
	if (lower.length !== text.length) return null;
	const places: Place[] = [];
	let cursor = 0;
	for (const { word } of words) {
		const from = lower.indexOf(word.toLowerCase(), cursor);
		if (from === -1 || LETTER.test(text.slice(cursor, from))) return null;
		cursor = from + word.length;
		places.push({ from, to: cursor });
	}
	return LETTER.test(text.slice(cursor)) ? null : places;
}

/** What lies between two words: up to the last space it belongs to the left one (", —"), the rest to the right one. */
function splitGap(gap: string): { trailing: string; leading: string; spaced: boolean } {
	const parts = gap.split(/\s+/);
	if (parts.length === 1) return { trailing: gap, leading: "", spaced: false };
	const leading = parts.pop() ?? "";
	const [first = "", ...alone] = parts;
	return { trailing: [first, ...alone.filter(Boolean)].join(" "), leading, spaced: true };
}

/** Both sides in a script written without spaces: there, no space between does not make one word. */
function continuous(left: string, right: string): boolean {
	return CONTINUOUS.test(left.at(-1) ?? "") && CONTINUOUS.test(right);
}
