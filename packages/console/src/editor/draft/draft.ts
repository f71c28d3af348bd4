// What somebody has changed in a transcript and not saved yet: paragraphs by their place, with their new text.
import type { RevisionEdit } from "@parley/contracts/batch/revisions";
import type { Paragraph, Word } from "../../job/transcript/paragraphs.ts";
import { changesOf } from "./word-changes.ts";

/** New text of paragraphs, by their place. A paragraph that reads as before is not in it. */
export type Draft = ReadonlyMap<number, string>;

export type History = {
	past: readonly Step[];
	present: Draft;
	future: readonly Step[];
};

type Step = { draft: Draft; paragraph: number | undefined; at: number };

export const NO_HISTORY: History = { past: [], present: new Map(), future: [] };

const MAX_STEPS = 500;
/** Typing in one paragraph within this time is one step. */
const STEP_MS = 1_200;

/**
 * Puts new text into paragraphs, as one step that can be undone.
 * @param typedAt when it was typed; absent for what a command has changed, which is always a step of its own
 */
export function write(
	history: History,
	paragraphs: readonly Paragraph[],
	changes: ReadonlyMap<number, string>,
	typedAt?: number,
): History {
	const next = new Map(history.present);
	for (const [place, text] of changes) {
		if (paragraphs[place]?.text === text) next.delete(place);
		else next.set(place, text);
	}
	const [only] = changes.size === 1 && typedAt !== undefined ? changes.keys() : [];
	const last = history.past.at(-1);
	const goesOn =
		last !== undefined &&
		only !== undefined &&
		last.paragraph === only &&
		typedAt !== undefined &&
		typedAt - last.at < STEP_MS &&
		history.future.length === 0;
	const step = { draft: goesOn ? last.draft : history.present, paragraph: only, at: typedAt ?? 0 };
	const past = goesOn ? history.past.slice(0, -1) : history.past;
	return { past: [...past, step].slice(-MAX_STEPS), present: next, future: [] };
}

export function undo({ past, present, future }: History): History {
	const last = past.at(-1);
	if (!last) return { past, present, future };
	return {
		past: past.slice(0, -1),
		present: last.draft,
		future: [{ ...last, draft: present }, ...future],
	};
}

export function redo({ past, present, future }: History): History {
	const [next, ...rest] = future;
	if (!next) return { past, present, future };
	return { past: [...past, { ...next, draft: present, at: 0 }], present: next.draft, future: rest };
}

/** Returns paragraphs that read differently in two drafts. */
export const changedBetween = (a: Draft, b: Draft): number[] =>
	[...new Set([...a.keys(), ...b.keys()])].filter((place) => a.get(place) !== b.get(place));

export type ChangedPart = {
	/** Words of the paragraph that are replaced: from the first up to the one before the last. */
	first: number;
	last: number;
	text: string;
	/** Place of the new text in the paragraph as it is now. */
	from: number;
	to: number;
};

/** Finds the smallest run of words around everything that has changed; undefined when only blanks have. */
export function changedPart({ text: before, words }: Paragraph, after: string): ChangedPart | undefined {
	const shorter = Math.min(before.length, after.length);
	let prefix = 0;
	while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
	let suffix = 0;
	while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
	// A word is untouched when the letter beside it is, too: "cat" in "cats" has changed.
	let first = 0;
	while (first < words.length && (words[first] as Word).tokenTo < prefix) first++;
	let last = words.length;
	while (last > first && (words[last - 1] as Word).tokenFrom > before.length - suffix) last--;
	const from = first > 0 ? (words[first - 1] as Word).tokenTo : 0;
	const next = words[last];
	const to = next ? after.length - (before.length - next.tokenFrom) : after.length;
	const text = after.slice(from, to).replace(/\s+/g, " ");
	const old =
		first < last ? before.slice((words[first] as Word).tokenFrom, (words[last - 1] as Word).tokenTo) : "";
	if (text.trim() === old) return;
	return { first, last, text: text.trim(), from: from + (text.length - text.trimStart().length), to };
}

/** Turns a draft into the edits that the API takes, in the order of the words. */
export function toEdits(paragraphs: readonly Paragraph[], draft: Draft): RevisionEdit[] {
	const edits = [...draft].flatMap(([place, after]) => {
		const paragraph = paragraphs[place];
		const part = paragraph && changedPart(paragraph, after);
		if (!paragraph || !part) return [];
		if (part.first === part.last) {
			const before = paragraph.words[part.first - 1];
			const at = before ? before.index + 1 : (paragraph.words[0]?.index ?? 0);
			return [{ start: at, end: at, text: part.text }];
		}
		// Where voices talk at once, the words of one are not in a row.
		const runs = runsOf(paragraph.words.slice(part.first, part.last));
		const longest = runs.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
		return runs.map((run) => ({ ...run, text: run === longest ? part.text : "" }));
	});
	return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Groups words into ranges of neighbouring indexes. */
export function runsOf(words: readonly Pick<Word, "index">[]): { start: number; end: number }[] {
	const runs: { start: number; end: number }[] = [];
	for (const { index } of words) {
		const last = runs.at(-1);
		if (last?.end === index) last.end++;
		else runs.push({ start: index, end: index + 1 });
	}
	return runs;
}

type Stretch = { from: number; to: number };
type Comparison = { kept: Word[]; added: Stretch[] };

/** Compares a paragraph with its new text word by word, as a revision is compared when it is saved. */
function compare(paragraph: Paragraph, after: string): Comparison {
	const part = changedPart(paragraph, after);
	if (!part) return { kept: after.length === paragraph.text.length ? paragraph.words : [], added: [] };
	const old = paragraph.words.slice(part.first, part.last);
	/** The new words and where they are. */
	const texts = [...after.slice(part.from, part.to).matchAll(/\S+/g)].map(({ 0: text, index }) => ({
		...{ text, from: part.from + index, to: part.from + index + text.length },
	}));
	const changes = changesOf(
		old.map(({ tokenFrom, tokenTo }) => paragraph.text.slice(tokenFrom, tokenTo)),
		texts.map(({ text }) => text),
	);
	const kept = paragraph.words.slice(0, part.first);
	const added: Stretch[] = [];
	let [oldAt, newAt] = [0, 0];
	const keepUpTo = (end: number) => {
		for (; oldAt < end; oldAt++, newAt++) {
			const [word, text] = [old[oldAt], texts[newAt]];
			if (word && text) kept.push(moved(word, text.from - word.tokenFrom));
		}
	};
	for (const change of changes) {
		keepUpTo(change.from);
		const [first, last] = [texts[newAt], texts[newAt + change.words.length - 1]];
		if (first && last && change.words.length > 0) added.push({ from: first.from, to: last.to });
		[oldAt, newAt] = [change.to, newAt + change.words.length];
	}
	keepUpTo(old.length);
	const longer = after.length - paragraph.text.length;
	for (const word of paragraph.words.slice(part.last)) kept.push(moved(word, longer));
	return { kept, added };
}

const moved = (word: Word, by: number): Word => ({
	...word,
	...{ from: word.from + by, to: word.to + by },
	...{ tokenFrom: word.tokenFrom + by, tokenTo: word.tokenTo + by },
});

/** Returns the words of a paragraph at their places in its new text. Replaced words are left out. */
export const wordsInDraft = (paragraph: Paragraph, after: string | undefined): Word[] =>
	after === undefined ? paragraph.words : compare(paragraph, after).kept;

/** Returns where the new text of a paragraph has words that were not there before. */
export const addedInDraft = (paragraph: Paragraph, after: string | undefined): Stretch[] =>
	after === undefined ? [] : compare(paragraph, after).added;
