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
	const positions = new Map<string, number[]>();
	for (const [index, word] of right.entries()) {
		const key = keyOf(word);
		const known = positions.get(key);
		if (known) known.push(index);
		else positions.set(key, [index]);
	}
	const changes: WordChange[] = [];
	let [leftFrom, rightFrom] = [0, 0];
	for (const [index, word] of left.entries()) {
		const at = positions.get(keyOf(word))?.find((position) => position >= rightFrom);
		if (at === undefined) continue;
		addChange(changes, left, right, [leftFrom, index], [rightFrom, at]);
		if (labelOf(word) !== labelOf(right[at] as EditableWord)) addReassigned(changes, index, word, right[at]);
		[leftFrom, rightFrom] = [index + 1, at + 1];
	}
	addChange(changes, left, right, [leftFrom, left.length], [rightFrom, right.length]);
	return changes;
}

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

function addReassigned(changes: WordChange[], index: number, word: EditableWord, now?: EditableWord): void {
	if (!now) return;
	const last = changes.at(-1);
	const [before] = last?.left ?? [];
	const [after] = last?.right ?? [];
	const continues =
		last?.end === index &&
		isReassignment(last) &&
		before &&
		after &&
		labelOf(before) === labelOf(word) &&
		labelOf(after) === labelOf(now);
	if (continues) {
		last.end = index + 1;
		last.left.push(word);
		last.right.push(now);
	} else changes.push({ start: index, end: index + 1, left: [word], right: [now] });
}

const isReassignment = ({ left, right }: WordChange): boolean =>
	left.length === right.length &&
	left.every((word, index) => keyOf(word) === keyOf(right[index] as EditableWord));
