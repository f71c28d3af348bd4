import type { EditableWord } from "./edit.ts";
import { joinWords } from "./words.ts";

/** A sentence of a transcript; times are seconds. */
export type SpokenSentence = {
	text: string;
	start: number;
	end: number;
	speaker?: string;
	channel?: string;
};

const ENDS_SENTENCE = /[.!?…。！？؟।]["'”’»)\]]*$/u;
/** Words per sentence above which a text counts as having no punctuation. */
const WORDS_PER_SENTENCE = 40;

/** Seconds of silence that end a sentence, and the characters beyond which it is cut at its longest pause. */
type Limits = { pauseSeconds: number; maxCharacters: number };
const PUNCTUATED: Limits = { pauseSeconds: 2, maxCharacters: 240 };
/** Pauses are all there is to go by, and many sentences run on without one to speak of. */
const BARE: Limits = { pauseSeconds: 0.6, maxCharacters: 120 };

/**
 * A transcript's sentences in time order, each word in one of them: cut at sentence ends, speaker changes and long silences.
 * Engines that write no punctuation leave utterances between pauses instead.
 */
export function sentencesOf(words: readonly EditableWord[]): SpokenSentence[] {
	const channels = Map.groupBy(words, ({ channel }) => channel);
	return [...channels.values()]
		.flatMap((own) => {
			const limits = limitsFor(own);
			return utterancesOf(own, limits).flatMap((utterance) => shorten(utterance, limits).map(toSentence));
		})
		.sort((a, b) => a.start - b.start);
}

function limitsFor(words: readonly EditableWord[]): Limits {
	const ends = words.filter(({ word }) => ENDS_SENTENCE.test(word)).length;
	return ends * WORDS_PER_SENTENCE >= words.length ? PUNCTUATED : BARE;
}

function utterancesOf(words: readonly EditableWord[], { pauseSeconds }: Limits): EditableWord[][] {
	const utterances: EditableWord[][] = [];
	let last: EditableWord | undefined;
	for (const word of words) {
		const goesOn =
			last &&
			last.speaker === word.speaker &&
			word.start - last.end < pauseSeconds &&
			!ENDS_SENTENCE.test(last.word);
		if (goesOn) utterances.at(-1)?.push(word);
		else utterances.push([word]);
		last = word;
	}
	return utterances;
}

/** Cuts at the longest pause that is not too near an end, of equals the one in the middle, until each piece is short enough. */
function shorten(words: EditableWord[], limits: Limits): EditableWord[][] {
	const length = words.reduce((sum, { word }) => sum + word.length + 1, 0);
	if (length <= limits.maxCharacters || words.length < 2) return [words];
	const middle = words.length / 2;
	const from = Math.ceil(middle / 2);
	const places = Array.from({ length: Math.max(1, words.length - 2 * from) }, (_, index) => from + index);
	places.sort(
		(a, b) => gapBefore(words, b) - gapBefore(words, a) || Math.abs(a - middle) - Math.abs(b - middle),
	);
	const [cut = 1] = places;
	return [...shorten(words.slice(0, cut), limits), ...shorten(words.slice(cut), limits)];
}

const gapBefore = (words: readonly EditableWord[], at: number): number =>
	(words[at]?.start ?? 0) - (words[at - 1]?.end ?? 0);

function toSentence(words: EditableWord[]): SpokenSentence {
	const [first] = words;
	return {
		text: joinWords(words.map(({ word }) => word)),
		start: first?.start ?? 0,
		end: Math.max(...words.map(({ end }) => end)),
		...(first?.speaker !== undefined && { speaker: first.speaker }),
		...(first?.channel !== undefined && { channel: first.channel }),
	};
}
