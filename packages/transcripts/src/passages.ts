import type { EditableWord } from "./edit.ts";
import { sentencesOf } from "./sentences.ts";
import { labelOf } from "./speakers.ts";

/** Sentences that begin in the same minute. A search finds words that occur in one passage. */
export type Passage = { minute: number; sentences: PassageSentence[] };
/** Times are seconds. */
export type PassageSentence = [start: number, end: number, speaker: string | null, text: string];

const SECONDS = 60;

/** Divides words into passages by time, so that an edit changes few of them. */
export function passagesOf(words: readonly EditableWord[]): Passage[] {
	const passages: Passage[] = [];
	for (const sentence of sentencesOf(words)) {
		const minute = Math.floor(sentence.start / SECONDS);
		const stored: PassageSentence = [sentence.start, sentence.end, labelOf(sentence), sentence.text];
		const last = passages.at(-1);
		if (last?.minute === minute) last.sentences.push(stored);
		else passages.push({ minute, sentences: [stored] });
	}
	return passages;
}
