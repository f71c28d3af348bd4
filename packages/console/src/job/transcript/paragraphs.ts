import type { TranscriptResult } from "@parley/contracts/batch/transcript";
import { cleanWord, needsSpace } from "@parley/transcripts/words";

export type Word = {
	/** Place among the results that are not punctuation, as the API counts words. */
	index: number;
	start: number;
	end: number;
	/** Place of the word in its paragraph's text, without the punctuation that belongs to it. */
	from: number;
	to: number;
	/** Place with that punctuation. */
	tokenFrom: number;
	tokenTo: number;
	confidence: number | null;
};

export type Paragraph = {
	/** Label of the speaker or channel; empty when nobody is told apart. */
	voice: string;
	start: number;
	end: number;
	text: string;
	words: Word[];
};

export type Place = { paragraph: number; word: number };

/** A transcript as it is read: paragraphs of one text each, and where each word is. */
export type Reading = {
	paragraphs: Paragraph[];
	/** By the word's index. */
	places: Place[];
	/** Start of each word, never falling. */
	starts: Float64Array;
	/** Speakers or channels in the order of their first words. */
	voices: string[];
};

const SENTENCE_END = /[.!?…。！？؟۔]["'”’»)\]]*$/u;
/** Words after which a paragraph ends at the next sentence end or pause, and at the latest. */
const [LONG, LONGEST] = [60, 140];
const SHORT_PAUSE_S = 0.35;
const LONG_PAUSE_S = 2.5;

/** Divides a transcript into paragraphs: at a change of voice, at a long pause, and where one has grown long. */
export function toReading(results: readonly TranscriptResult[]): Reading {
	const paragraphs: Paragraph[] = [];
	const places: Place[] = [];
	const starts: number[] = [];
	/** The paragraph that each voice is in. */
	const open = new Map<string, number>();
	let current: Paragraph | undefined;
	let opening = "";
	let isGlued = false;

	for (const result of results) {
		const best = result.alternatives[0];
		const content = cleanWord(best?.content ?? "");
		if (result.type === "punctuation") {
			const side = result.attaches_to ?? "previous";
			if (side === "next") opening += content;
			else if (current) {
				current.text += side === "none" ? ` ${content}` : content;
				const last = current.words.at(-1);
				if (last) last.tokenTo = current.text.length;
				isGlued = side === "both";
			}
			continue;
		}
		const voice = best?.speaker ?? result.channel ?? "";
		let at = open.get(voice);
		const mine = at === undefined ? undefined : paragraphs[at];
		if (at === undefined || !mine || !goesOn(mine, current, result.start_time)) {
			at = paragraphs.length;
			paragraphs.push({ voice, start: result.start_time, end: result.end_time, text: "", words: [] });
			open.set(voice, at);
			isGlued = false;
		}
		current = paragraphs[at] as Paragraph;
		if (current.text && !isGlued && needsSpace(current.text, opening + content)) current.text += " ";
		const tokenFrom = current.text.length;
		const from = tokenFrom + opening.length;
		current.text += opening + content;
		const to = current.text.length;
		places.push({ paragraph: at, word: current.words.length });
		starts.push(Math.max(result.start_time, starts.at(-1) ?? 0));
		current.words.push({
			...{ index: places.length - 1, start: result.start_time, end: result.end_time },
			...{ from, to, tokenFrom, tokenTo: to, confidence: best?.confidence ?? null },
		});
		current.end = Math.max(current.end, result.end_time);
		opening = "";
		isGlued = false;
	}
	return {
		paragraphs,
		places,
		starts: Float64Array.from(starts),
		voices: [...new Set(paragraphs.map(({ voice }) => voice))].filter(Boolean),
	};
}

/** Whether a voice's next word belongs to its paragraph. Voices that talk at once keep theirs. */
function goesOn(mine: Paragraph, current: Paragraph | undefined, start: number): boolean {
	const pause = start - mine.end;
	const count = mine.words.length;
	if (mine !== current && current && current.start >= mine.end) return false;
	if (pause > LONG_PAUSE_S || count >= LONGEST) return false;
	return count < LONG || !(pause > SHORT_PAUSE_S || SENTENCE_END.test(mine.text));
}

/** Finds the last word that has begun at a time; -1 before the first. */
export function wordAt(starts: Float64Array, time: number): number {
	let low = 0;
	let high = starts.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((starts[middle] ?? 0) <= time) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}

/** Finds the word of a paragraph at a place in its text. */
export const wordAtOffset = ({ words }: Paragraph, offset: number): Word | undefined =>
	words.find(({ tokenTo }) => tokenTo >= offset) ?? words.at(-1);

/** Names a voice for readers: the engine's `S1` is "Speaker 1". */
export const voiceName = (voice: string): string =>
	voice
		.replace(/^(?:S|speaker[_ -]?)(\d+)$/i, "Speaker $1")
		.replace(/^(?:UU|unknown)$/i, "Unknown speaker")
		.replace(/^channel[_ -]?(\d+)$/i, "Channel $1");

const VOICE_COLOURS = 6;
/** Returns the number of a voice's colour, from 1. */
export const voiceColour = (voices: readonly string[], voice: string): number =>
	(Math.max(0, voices.indexOf(voice)) % VOICE_COLOURS) + 1;
