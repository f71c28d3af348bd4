import { needsSpace } from "./words.ts";

/** A word of a transcript that people edit. Times are seconds. */
export type EditableWord = {
	word: string;
	start: number;
	end: number;
	confidence: number | null;
	language: string | null;
	speaker?: string;
	channel?: string;
	/** A person wrote the word, and its times are those of the words that it replaces. */
	edited?: true;
};

/** Replacement of the words from `start` up to but not including `end`. */
export type WordEdit = { start: number; end: number; text: string; speaker?: string | undefined };

/** Maximum time that an inserted word takes per character, where there is room. */
const SECONDS_PER_CHARACTER = 0.08;
/** Maximum size of the table with which the words of one edit are compared. */
const MAX_CELLS = 1_000_000;

/**
 * Applies edits to words in time order. Words outside the edits stay as they are, and so do words inside that the new text
 * keeps. The others are re-timed inside the interval of the words that they replace, and marked as edited. Inserted words lie
 * between their neighbours.
 * @param edits in the order of the words, without overlaps, and with one insertion at most between two words
 */
export function applyEdits(words: readonly EditableWord[], edits: readonly WordEdit[]): EditableWord[] {
	const edited: EditableWord[] = [];
	let from = 0;
	for (const edit of edits) {
		append(edited, words, from, edit.start);
		applyEdit(edited, words, edit);
		from = edit.end;
	}
	append(edited, words, from, words.length);
	return edited;
}

/** Splits text into words as a transcript has them, with their punctuation. Scripts without spaces are split by a dictionary. */
export function splitWords(text: string): string[] {
	const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
	return clean
		.split(" ")
		.flatMap((part) => (isContinuous(part) ? splitContinuous(part) : part ? [part] : []));
}

const append = (to: EditableWord[], words: readonly EditableWord[], from: number, end: number): void => {
	for (let index = from; index < end; index++) {
		const word = words[index];
		if (word) to.push(word);
	}
};

function applyEdit(edited: EditableWord[], words: readonly EditableWord[], edit: WordEdit): void {
	const old = words.slice(edit.start, edit.end);
	const texts = splitWords(edit.text);
	const before = words[edit.start - 1];
	const after = words[edit.end];
	const add = (word: EditableWord) =>
		edited.push(edit.speaker === undefined ? word : { ...word, speaker: edit.speaker });
	let [oldFrom, newFrom] = [0, 0];
	const replace = (oldEnd: number, newEnd: number) => {
		const replaced = old.slice(oldFrom, oldEnd);
		const neighbours = { before: old[oldFrom - 1] ?? before, after: old[oldEnd] ?? after };
		for (const word of timeWords(texts.slice(newFrom, newEnd), replaced, neighbours)) add(word);
	};
	for (const [oldAt, newAt] of commonWords(old, texts)) {
		replace(oldAt, newAt);
		const kept = old[oldAt];
		if (kept) add(kept);
		[oldFrom, newFrom] = [oldAt + 1, newAt + 1];
	}
	replace(old.length, texts.length);
}

type Neighbours = { before: EditableWord | undefined; after: EditableWord | undefined };

/** Gives times to texts that replace words, or that stand between two words. */
function timeWords(
	texts: readonly string[],
	replaced: readonly EditableWord[],
	neighbours: Neighbours,
): EditableWord[] {
	const model = replaced[0] ?? neighbours.before ?? neighbours.after;
	const toWord = (word: string, start: number, end: number, like = model): EditableWord => ({
		...(like?.speaker !== undefined && { speaker: like.speaker }),
		...(like?.channel !== undefined && { channel: like.channel }),
		language: like?.language ?? null,
		...{ word, start: milliseconds(start), end: milliseconds(end), confidence: null, edited: true },
	});
	// As many words as before are corrections, one for one.
	if (texts.length === replaced.length)
		return replaced.map((old, index) => toWord(texts[index] ?? "", old.start, old.end, old));
	const length = texts.reduce((sum, text) => sum + text.length, 0);
	const [start, end] =
		replaced.length > 0 ? spanOf(replaced, neighbours.after) : roomBetween(neighbours, length);
	let passed = 0;
	return texts.map((text) => {
		const from = start + ((end - start) * passed) / length;
		passed += text.length;
		return toWord(text, from, start + ((end - start) * passed) / length);
	});
}

/** Returns the interval of words, which ends before the next word starts: engines let words overlap, and so do channels. */
function spanOf(words: readonly EditableWord[], after: EditableWord | undefined): [number, number] {
	const start = words[0]?.start ?? 0;
	const end = words.reduce((latest, word) => Math.max(latest, word.end), start);
	return [start, after ? Math.max(start, Math.min(end, after.start)) : end];
}

/** Returns the interval for inserted words of so many characters: behind the word before them, up to the next one. */
function roomBetween({ before, after }: Neighbours, characters: number): [number, number] {
	const wanted = characters * SECONDS_PER_CHARACTER;
	if (!before) {
		const end = after?.start ?? wanted;
		return [Math.max(0, end - wanted), end];
	}
	const limit = after ? Math.max(before.start, after.start) : Number.POSITIVE_INFINITY;
	const start = Math.min(before.end, limit);
	return [start, Math.min(start + wanted, limit)];
}

/** Pairs the words that a text keeps with their positions in it: the longest common subsequence. */
function commonWords(old: readonly EditableWord[], texts: readonly string[]): [number, number][] {
	const isSame = (left: number, right: number) => old[left]?.word === texts[right];
	const shorter = Math.min(old.length, texts.length);
	let head = 0;
	while (head < shorter && isSame(head, head)) head++;
	let tail = 0;
	while (tail < shorter - head && isSame(old.length - 1 - tail, texts.length - 1 - tail)) tail++;
	const pairs: [number, number][] = Array.from({ length: head }, (_, at) => [at, at]);
	const [rows, columns] = [old.length - tail - head, texts.length - tail - head];
	if (rows > 0 && columns > 0 && rows * columns <= MAX_CELLS) {
		for (const [row, column] of longestCommon(rows, columns, (row, column) =>
			isSame(head + row, head + column),
		))
			pairs.push([head + row, head + column]);
	}
	for (let at = tail; at > 0; at--) pairs.push([old.length - at, texts.length - at]);
	return pairs;
}

function longestCommon(
	rows: number,
	columns: number,
	isSame: (row: number, column: number) => boolean,
): [number, number][] {
	const width = columns + 1;
	const lengths = new Uint32Array((rows + 1) * width);
	for (let row = rows - 1; row >= 0; row--) {
		for (let column = columns - 1; column >= 0; column--) {
			const cell = row * width + column;
			lengths[cell] = isSame(row, column)
				? (lengths[cell + width + 1] ?? 0) + 1
				: Math.max(lengths[cell + width] ?? 0, lengths[cell + 1] ?? 0);
		}
	}
	const pairs: [number, number][] = [];
	for (let row = 0, column = 0; row < rows && column < columns; ) {
		if (isSame(row, column)) pairs.push([row++, column++]);
		else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row++;
		else column++;
	}
	return pairs;
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Whether a text has two neighbouring characters that no space would part. */
function isContinuous(text: string): boolean {
	let last = "";
	for (const character of text) {
		if (last && !needsSpace(last, character)) return true;
		last = character;
	}
	return false;
}

/** Splits text without spaces. Punctuation stays with the word before it. */
function splitContinuous(text: string): string[] {
	const words: string[] = [];
	for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(
		text,
	)) {
		const last = words.length - 1;
		if (isWordLike || last < 0) words.push(segment);
		else words[last] += segment;
	}
	return words;
}
