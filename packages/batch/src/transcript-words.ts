import type { TranscriptResult } from "@parley/contracts/batch/transcript";

/** A recognised word with its punctuation on it; times are seconds from the start of the audio. */
export type TranscriptWord = {
	word: string;
	start: number;
	end: number;
	confidence: number | null;
	language: string | null;
	speaker?: string;
	channel?: string;
	/** A person wrote it. */
	edited?: true;
};

const MARKS = ".,!?;:…。、！？，；：؟،।";
const ENDS_WITH_MARKS = new RegExp(`^(.*[^${MARKS}])([${MARKS}]+)$`, "su");
const STARTS_WITH_MARKS = /^([¿¡]+)(.+)$/su;
const ENDS_SENTENCE = /[.!?…。！？؟।]$/u;

/** Words as transcript results: punctuation at a word's edges becomes a result of its own that is attached to the word. */
export function toResults(words: readonly TranscriptWord[]): TranscriptResult[] {
	return words.flatMap((word) => {
		const opened = STARTS_WITH_MARKS.exec(word.word);
		const [before, rest] = opened ? [opened[1], opened[2] ?? ""] : [undefined, word.word];
		const closed = ENDS_WITH_MARKS.exec(rest);
		const [content, after] = closed ? [closed[1] ?? "", closed[2]] : [rest, undefined];
		return [
			...(before ? [toPunctuation(word, before, "next")] : []),
			toResult(word, content, word.start, word.end),
			...(after ? [toPunctuation(word, after, "previous")] : []),
		];
	});
}

/** The words of transcript results, with their punctuation put back on. */
export function wordsOf(results: readonly TranscriptResult[]): TranscriptWord[] {
	const words: TranscriptWord[] = [];
	let opening = "";
	for (const result of results) {
		const [best] = result.alternatives;
		if (!best) continue;
		const last = words.at(-1);
		if (result.type !== "punctuation") {
			words.push({
				word: opening + best.content,
				start: result.start_time,
				end: result.end_time,
				confidence: best.confidence,
				language: best.language,
				...(best.speaker !== undefined && { speaker: best.speaker }),
				...(result.channel !== undefined && { channel: result.channel }),
				...(result.edited && { edited: true }),
			});
			opening = "";
		} else if (result.attaches_to === "next") opening += best.content;
		else if (last) last.word += best.content;
	}
	return words;
}

/** Words for text and subtitles: who speaks is the speaker, or else the channel. */
export const captionWords = (words: readonly TranscriptWord[]) =>
	words.map(({ word, start, end, speaker, channel }) => ({
		word,
		start,
		end,
		speaker: speaker ?? channel ?? null,
		channel: channel ?? null,
	}));

function toResult(word: TranscriptWord, content: string, start: number, end: number): TranscriptResult {
	return {
		type: "word",
		start_time: start,
		end_time: end,
		...(word.channel !== undefined && { channel: word.channel }),
		alternatives: [
			{
				content,
				confidence: word.confidence,
				language: word.language,
				...(word.speaker !== undefined && { speaker: word.speaker }),
			},
		],
		...(word.edited && { edited: true }),
	};
}

function toPunctuation(word: TranscriptWord, marks: string, to: "previous" | "next"): TranscriptResult {
	const at = to === "previous" ? word.end : word.start;
	return {
		...toResult(word, marks, at, at),
		type: "punctuation",
		attaches_to: to,
		is_eos: to === "previous" && ENDS_SENTENCE.test(marks),
	};
}
