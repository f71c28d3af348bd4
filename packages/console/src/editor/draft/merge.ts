import type { Paragraph } from "../../job/transcript/paragraphs.ts";
import type { Draft } from "./draft.ts";
import { changesOf } from "./word-changes.ts";

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
