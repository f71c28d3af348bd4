import type { EditableWord } from "./edit.ts";
import { labelOf } from "./speakers.ts";
import { joinWords } from "./words.ts";

/** A range of words of the left list, and the words of the right list that stand for it. */
export type WordChange = { start: number; end: number; left: EditableWord[]; right: EditableWord[] };

export type DiffSummary = { added: number; removed: number; replaced: number; reassigned: number };

/**
 * Compares two states of a transcript, both in time order. A word that kept its text and its times is the same word, so the
 * comparison takes linear time. Neighbouring words that differ are one change, and so are neighbouring words whose speaker alone
 * differs in the same way.
 */
export function diffWords(left: readonly EditableWord[], right: readonly EditableWord[]): WordChange[] {
	const changes: WordChange[] = [];
	let [leftFrom, rightFrom] = [0, 0];
	for (const [leftAt, rightAt] of pairsOf(left, right)) {
		addChange(changes, left, right, [leftFrom, leftAt], [rightFrom, rightAt]);
		addIfReassigned(changes, leftAt, left[leftAt], right[rightAt]);
		[leftFrom, rightFrom] = [leftAt + 1, rightAt + 1];
	}
	addChange(changes, left, right, [leftFrom, left.length], [rightFrom, right.length]);
	return changes;
}

/** Pairs the words that are the same, in order. Most edits are small, so only what lies between the first and last is looked up. */
function* pairsOf(
	left: readonly EditableWord[],
	right: readonly EditableWord[],
): Generator<[leftAt: number, rightAt: number]> {
	const shorter = Math.min(left.length, right.length);
	let head = 0;
	while (head < shorter && isSameWord(left[head], right[head])) yield [head, head++];
	let tail = 0;
	while (tail < shorter - head && isSameWord(left.at(-1 - tail), right.at(-1 - tail))) tail++;
	const positions = new Map<string, number[]>();
	for (let at = head; at < right.length - tail; at++) {
		const key = keyOf(right[at] as EditableWord);
		const known = positions.get(key);
		if (known) known.push(at);
		else positions.set(key, [at]);
	}
	let next = head;
	for (let at = head; at < left.length - tail && positions.size > 0; at++) {
		const found = positions.get(keyOf(left[at] as EditableWord))?.find((position) => position >= next);
		if (found === undefined) continue;
		yield [at, found];
		next = found + 1;
	}
	for (; tail > 0; tail--) yield [left.length - tail, right.length - tail];
}

const isSameWord = (left: EditableWord | undefined, right: EditableWord | undefined): boolean =>
	left === right ||
	(left?.word === right?.word &&
		left?.start === right?.start &&
		left?.end === right?.end &&
		left?.channel === right?.channel);

/** Counts what changes do. */
export function summarise(changes: readonly WordChange[]): DiffSummary {
	const summary = { added: 0, removed: 0, replaced: 0, reassigned: 0 };
	for (const change of changes) {
		const [before, after] = [change.left.length, change.right.length];
		if (isReassignment(change)) summary.reassigned += after;
		else {
			summary.replaced += Math.min(before, after);
			summary.added += Math.max(0, after - before);
			summary.removed += Math.max(0, before - after);
		}
	}
	return summary;
}

/** Returns the text of words, joined as they are read. */
export const textOf = (words: readonly EditableWord[]): string => joinWords(words.map(({ word }) => word));

const keyOf = ({ word, start, end, channel }: EditableWord) => `${start} ${end} ${channel ?? ""} ${word}`;

type Range = [from: number, end: number];

function addChange(
	changes: WordChange[],
	left: readonly EditableWord[],
	right: readonly EditableWord[],
	[start, end]: Range,
	[rightFrom, rightEnd]: Range,
): void {
	if (start === end && rightFrom === rightEnd) return;
	changes.push({ start, end, left: left.slice(start, end), right: right.slice(rightFrom, rightEnd) });
}

function addIfReassigned(
	changes: WordChange[],
	index: number,
	word: EditableWord | undefined,
	now: EditableWord | undefined,
): void {
	if (!word || !now || word === now || labelOf(word) === labelOf(now)) return;
	const last = changes.at(-1);
	const [before] = last?.left ?? [];
	const [after] = last?.right ?? [];
	const continues =
		last?.end === index &&
		before &&
		after &&
		isSameWord(before, after) &&
		labelOf(before) === labelOf(word) &&
		labelOf(after) === labelOf(now);
	if (continues) {
		last.end = index + 1;
		last.left.push(word);
		last.right.push(now);
	} else changes.push({ start: index, end: index + 1, left: [word], right: [now] });
}

const isReassignment = ({ left, right }: WordChange): boolean =>
	left.length === right.length && left.every((word, index) => isSameWord(word, right[index]));
