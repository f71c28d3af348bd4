import type {
	SentimentAnalysis,
	Topics,
	TranscriptChapter,
	TranslatedSegment,
} from "@parley/contracts/batch/transcript-extras";
import type { Chapter, Judgement } from "@parley/engines/language/language-engine";
import type { SpokenSentence } from "@parley/transcripts/sentences";
import { joinWords } from "@parley/transcripts/words";

const spanOf = ({ start, end }: SpokenSentence) => ({ start_time: start, end_time: end });

const voiceOf = ({ speaker, channel }: SpokenSentence) => ({
	...(speaker !== undefined && { speaker }),
	...(channel !== undefined && { channel }),
});

export const toTranslation = (
	sentences: readonly SpokenSentence[],
	translations: readonly string[],
): TranslatedSegment[] =>
	sentences.map((sentence, index) => ({
		...spanOf(sentence),
		content: translations[index] ?? "",
		...voiceOf(sentence),
	}));

export function toSentiment(
	sentences: readonly SpokenSentence[],
	judgements: readonly Judgement[],
): SentimentAnalysis {
	const segments = sentences.map((sentence, index) => ({
		text: sentence.text,
		...spanOf(sentence),
		...(judgements[index] ?? { sentiment: "neutral" as const, confidence: 0 }),
		...voiceOf(sentence),
	}));
	const groups = <K extends "speaker" | "channel">(key: K) =>
		[...Map.groupBy(segments, (segment) => segment[key])].flatMap(([name, own]) =>
			name === undefined ? [] : [{ name, ...countsOf(own) }],
		);
	return {
		segments,
		summary: {
			overall: countsOf(segments),
			speakers: groups("speaker").map(({ name, ...counts }) => ({ speaker: name, ...counts })),
			channels: groups("channel").map(({ name, ...counts }) => ({ channel: name, ...counts })),
		},
	};
}

function countsOf(judgements: readonly Judgement[]) {
	const count = (wanted: Judgement["sentiment"]) =>
		judgements.filter(({ sentiment }) => sentiment === wanted).length;
	return {
		positive_count: count("positive"),
		neutral_count: count("neutral"),
		negative_count: count("negative"),
	};
}

/** Neighbouring sentences with the same topics are one segment; those without any are none. */
export function toTopics(sentences: readonly SpokenSentence[], topics: readonly string[][]): Topics {
	const stretches: { topics: string[]; sentences: SpokenSentence[] }[] = [];
	let before: string | undefined;
	sentences.forEach((sentence, index) => {
		const own = topics[index] ?? [];
		const same = JSON.stringify([...own].sort());
		if (same === before) stretches.at(-1)?.sentences.push(sentence);
		else stretches.push({ topics: own, sentences: [sentence] });
		before = same;
	});
	const segments = stretches
		.filter((stretch) => stretch.topics.length > 0)
		.map((stretch) => ({
			text: joinWords(stretch.sentences.map(({ text }) => text)),
			start_time: stretch.sentences[0]?.start ?? 0,
			end_time: stretch.sentences.reduce((latest, { end }) => Math.max(latest, end), 0),
			topics: stretch.topics.map((topic) => ({ topic })),
		}));
	const counts = new Map<string, number>();
	for (const { topic } of segments.flatMap((segment) => segment.topics))
		counts.set(topic, (counts.get(topic) ?? 0) + 1);
	return { segments, summary: { overall: Object.fromEntries([...counts].sort((a, b) => b[1] - a[1])) } };
}

/** Chapters border on each other: each ends where the next one begins, the last with the last word. */
export function toChapters(
	sentences: readonly SpokenSentence[],
	chapters: readonly Chapter[],
): TranscriptChapter[] {
	const last = sentences.reduce((latest, { end }) => Math.max(latest, end), 0);
	const startOf = (chapter: Chapter | undefined) => chapter && sentences[chapter.first]?.start;
	return chapters.map((chapter, index) => ({
		title: chapter.title,
		summary: chapter.summary,
		start_time: startOf(chapter) ?? 0,
		end_time: startOf(chapters[index + 1]) ?? last,
	}));
}
