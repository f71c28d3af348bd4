import type { Paragraph } from "../job/transcript/paragraphs.ts";
import type { Draft } from "./draft.ts";

/** A paragraph that both changed. */
export type Conflict = {
	/** Place in the newer transcript. */
	place: number;
	start: number;
	before: string;
	mine: string;
	theirs: string;
};

export type Merge = {
	/** What becomes of the draft on top of the newer transcript. */
	draft: Map<number, string>;
	conflicts: Conflict[];
	/** Paragraphs that could be merged. */
	merged: number;
};

/** Carries a draft over to a newer revision of the transcript. Where both changed the same words, the reader decides. */
export function mergeDraft(before: readonly Paragraph[], draft: Draft, now: readonly Paragraph[]): Merge {
	const merge: Merge = { draft: new Map(), conflicts: [], merged: 0 };
	for (const [place, mine] of draft) {
		const old = before[place];
		const target = old && findSame(old, now);
		if (!old || target === undefined) continue;
		const theirs = (now[target] as Paragraph).text;
		const text = theirs === old.text || theirs === mine ? mine : mergeWords(old.text, mine, theirs);
		if (text === undefined || merge.draft.has(target))
			merge.conflicts.push({ place: target, start: old.start, before: old.text, mine, theirs });
		else {
			if (text !== theirs) merge.draft.set(target, text);
			merge.merged++;
		}
	}
	return merge;
}

/** Finds the paragraph that takes up most of another one's time, of the same voice if possible. */
function findSame(old: Paragraph, now: readonly Paragraph[]): number | undefined {
	let best: number | undefined;
	let most = Number.NEGATIVE_INFINITY;
	for (const [place, { start, end, voice }] of now.entries()) {
		const shared = Math.min(end, old.end) - Math.max(start, old.start);
		const value = shared + (voice === old.voice ? 0.001 : 0);
		if (value > most) [most, best] = [value, place];
	}
	return best;
}

type Change = { from: number; to: number; words: string[] };

/** Merges two changes of one text word by word; undefined where they touch. */
export function mergeWords(before: string, mine: string, theirs: string): string | undefined {
	const base = before.split(" ");
	const changes = [
		...changesOf(base, mine.split(" ")).map((change) => ({ ...change, isMine: true })),
		...changesOf(base, theirs.split(" ")).map((change) => ({ ...change, isMine: false })),
	].sort((a, b) => a.from - b.from || a.to - b.to);
	const words: string[] = [];
	let at = 0;
	let last: (typeof changes)[number] | undefined;
	for (const change of changes) {
		const isSame =
			last !== undefined &&
			last.from === change.from &&
			last.to === change.to &&
			last.words.join(" ") === change.words.join(" ");
		if (isSame) continue;
		if (last && last.isMine !== change.isMine && change.from <= last.to) return;
		words.push(...base.slice(at, change.from), ...change.words);
		at = change.to;
		last = change;
	}
	return [...words, ...base.slice(at)].filter(Boolean).join(" ");
}

/** Longest texts, in words, that are compared word by word. Longer ones are one change from the first difference to the last. */
const MAX_WORDS = 400;

/** Finds how words became others: ranges of the old ones, and what is there now. */
function changesOf(before: readonly string[], after: readonly string[]): Change[] {
	if (before.length > MAX_WORDS || after.length > MAX_WORDS) return [outerChange(before, after)];
	const width = after.length + 1;
	/** Length of the longest common subsequence of what follows. */
	const common = new Uint16Array((before.length + 1) * width);
	for (let b = before.length - 1; b >= 0; b--)
		for (let a = after.length - 1; a >= 0; a--)
			common[b * width + a] =
				before[b] === after[a]
					? (common[(b + 1) * width + a + 1] ?? 0) + 1
					: Math.max(common[(b + 1) * width + a] ?? 0, common[b * width + a + 1] ?? 0);
	const changes: Change[] = [];
	let [b, a] = [0, 0];
	while (b < before.length || a < after.length) {
		if (b < before.length && a < after.length && before[b] === after[a]) {
			b++;
			a++;
			continue;
		}
		const change: Change = { from: b, to: b, words: [] };
		while (
			(b < before.length || a < after.length) &&
			(b >= before.length || a >= after.length || before[b] !== after[a])
		) {
			const skipOld = b < before.length ? (common[(b + 1) * width + a] ?? 0) : -1;
			const takeNew = a < after.length ? (common[b * width + a + 1] ?? 0) : -1;
			if (skipOld >= takeNew) b++;
			else change.words.push(after[a++] as string);
		}
		change.to = b;
		changes.push(change);
	}
	return changes;
}

function outerChange(before: readonly string[], after: readonly string[]): Change {
	let from = 0;
	while (from < before.length && from < after.length && before[from] === after[from]) from++;
	let end = 0;
	while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end))
		end++;
	return { from, to: before.length - end, words: after.slice(from, after.length - end) };
}
