import { joinWords } from "@parley/audio/words";
import type { TranscriptWord } from "@parley/contracts/transcript-words";
import type { Sentence } from "@parley/engines/language/language-engine";

export type SpokenSentence = Sentence & { channel?: string };

const ENDS_SENTENCE = /[.!?…。！？؟।]["'”’»)\]]*$/u;
/** Of words that have any punctuation to speak of, at least one in so many ends a sentence. */
const WORDS_A_SENTENCE = 40;
/** Silence that ends a sentence, in seconds: without punctuation there is little else to go by. */
const PAUSE = { punctuated: 2, bare: 0.6 };
/** What is longer is cut at its longest pause. */
const MAX_CHARACTERS = 240;

/**
 * A transcript's sentences in time order, each word in one of them: cut at sentence ends, speaker changes and long silences.
 * Engines that write no punctuation leave utterances between pauses instead.
 */
export function sentencesOf(words: readonly TranscriptWord[]): SpokenSentence[] {
	const channels = Map.groupBy(words, ({ channel }) => channel);
	return [...channels.values()]
		.flatMap((own) => utterancesOf(own).flatMap(shorten).map(toSentence))
		.sort((a, b) => a.start - b.start);
}

function utterancesOf(words: readonly TranscriptWord[]): TranscriptWord[][] {
	const ends = words.filter(({ word }) => ENDS_SENTENCE.test(word)).length;
	const pause = ends * WORDS_A_SENTENCE >= words.length ? PAUSE.punctuated : PAUSE.bare;
	const utterances: TranscriptWord[][] = [];
	let last: TranscriptWord | undefined;
	for (const word of words) {
		const goesOn =
			last &&
			last.speaker === word.speaker &&
			word.start - last.end < pause &&
			!ENDS_SENTENCE.test(last.word);
		if (goesOn) utterances.at(-1)?.push(word);
		else utterances.push([word]);
		last = word;
	}
	return utterances;
}

/** Halves, as near to the middle as its longest pause is, until each is short enough. */
function shorten(words: TranscriptWord[]): TranscriptWord[][] {
	const length = words.reduce((sum, { word }) => sum + word.length + 1, 0);
	if (length <= MAX_CHARACTERS || words.length < 2) return [words];
	const from = Math.max(1, Math.floor(words.length / 4));
	const to = Math.max(from, Math.ceil((words.length * 3) / 4) - 1);
	let cut = from;
	for (let at = from; at <= to; at++) if (gapBefore(words, at) > gapBefore(words, cut)) cut = at;
	return [...shorten(words.slice(0, cut)), ...shorten(words.slice(cut))];
}

const gapBefore = (words: readonly TranscriptWord[], at: number): number =>
	(words[at]?.start ?? 0) - (words[at - 1]?.end ?? 0);

function toSentence(words: TranscriptWord[]): SpokenSentence {
	const [first] = words;
	return {
		text: joinWords(words.map(({ word }) => word)),
		start: first?.start ?? 0,
		end: Math.max(...words.map(({ end }) => end)),
		...(first?.speaker !== undefined && { speaker: first.speaker }),
		...(first?.channel !== undefined && { channel: first.channel }),
	};
}
