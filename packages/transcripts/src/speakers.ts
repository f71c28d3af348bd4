import type { EditableWord } from "./edit.ts";

/** Speaker of the words from `start` up to but not including `end`. */
export type Assignment = { start: number; end: number; speaker: string };

/** Returns who speaks a word: its speaker, or else its channel. */
export const labelOf = ({ speaker, channel }: Pick<EditableWord, "speaker" | "channel">): string | null =>
	speaker ?? channel ?? null;

/**
 * Renames speakers, then assigns ranges of words. Two speakers with one new label are merged; a range with a new label splits one.
 * @param names new label by present label
 * @param assignments in the order of the words, without overlaps
 */
export function applySpeakers(
	words: readonly EditableWord[],
	names: ReadonlyMap<string, string>,
	assignments: readonly Assignment[],
): EditableWord[] {
	let next = 0;
	return words.map((word, index) => {
		while ((assignments[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next++;
		const assigned = assignments[next];
		const label = labelOf(word);
		const speaker =
			assigned && assigned.start <= index ? assigned.speaker : label === null ? undefined : names.get(label);
		return speaker === undefined || speaker === label ? word : { ...word, speaker };
	});
}

export type SpeakerTotals = { label: string; wordCount: number; seconds: number; firstTime: number };

/** Returns the speakers of words in the order of their first words. */
export function listSpeakers(words: readonly EditableWord[]): SpeakerTotals[] {
	const totals = new Map<string, SpeakerTotals>();
	for (const word of words) {
		const label = labelOf(word);
		if (label === null) continue;
		const known = totals.get(label) ?? { label, wordCount: 0, seconds: 0, firstTime: word.start };
		known.wordCount += 1;
		known.seconds += Math.max(0, word.end - word.start);
		totals.set(label, known);
	}
	return [...totals.values()].map((speaker) => ({
		...speaker,
		seconds: Math.round(speaker.seconds * 1000) / 1000,
	}));
}
