import { type AudioEvent, musicEvents } from "../../audio-events/music-events.ts";
import type {
	Chapter,
	LanguageCapabilities,
	LanguageEngine,
	Sentence,
	SummaryOptions,
	TypedEvent,
} from "../language-engine.ts";
import { distinctiveTerms, keywordsOf, matchTopics } from "./keywords.ts";
import { sentimentOf } from "./lexicon-sentiment.ts";
import { keySentences } from "./textrank.ts";
import { findBoundaries } from "./texttiling.ts";

const BRIEF_SENTENCES = 3;
const DETAILED_SENTENCES = [6, 12] as const;
const TITLE_TERMS = 3;

/** Creates an engine for English text and for audio that needs no model. The same input always gives the same result. */
export function classicalEngine(code: string, can: LanguageCapabilities): LanguageEngine {
	return {
		code,
		capabilities: can,
		...(can.summarization && {
			summarise: async (sentences, { options }) => summarise(textsOf(sentences), options),
		}),
		...(can.sentiment_analysis && {
			judgeSentiment: async (sentences) => textsOf(sentences).map(sentimentOf),
		}),
		...(can.topic_detection && {
			findTopics: async (sentences, { topics }) =>
				topics?.length ? matchTopics(textsOf(sentences), topics) : keywordsOf(textsOf(sentences)),
		}),
		...(can.auto_chapters && { findChapters: async (sentences) => findChapters(sentences) }),
		...(can.audio_events && {
			findEvents: (chunks, types) => (types.includes("music") ? musicEvents(chunks).map(toMusic) : []),
		}),
	};
}

const toMusic = (event: AudioEvent): TypedEvent => ({ type: "music", ...event });

const textsOf = (sentences: readonly Sentence[]): string[] => sentences.map(({ text }) => text);

/** Summarises by extracting sentences. */
export function summarise(
	texts: readonly string[],
	{ summary_length, summary_type }: Pick<SummaryOptions, "summary_length" | "summary_type">,
): string {
	const [least, most] = DETAILED_SENTENCES;
	const tenth = Math.ceil(texts.length / 10);
	const count = summary_length === "brief" ? BRIEF_SENTENCES : Math.min(most, Math.max(least, tenth));
	const chosen = keySentences(texts, count).map((index) => texts[index] ?? "");
	if (summary_type === "bullets") return chosen.map((text) => `- ${text}`).join("\n");
	return chosen.map((text) => (/[.!?…]["'”’)]*$/u.test(text) ? text : `${text}.`)).join(" ");
}

/** Finds chapters by changes of vocabulary. Their titles are the most distinctive terms, their summaries the most typical sentences. */
export function findChapters(sentences: readonly Sentence[]): Chapter[] {
	const texts = textsOf(sentences);
	const boundaries = findBoundaries(sentences);
	const stretches = boundaries.map((first, index) => texts.slice(first, boundaries[index + 1]));
	const titles = distinctiveTerms(
		stretches.map((stretch) => stretch.join("\n")),
		TITLE_TERMS,
	);
	return boundaries.map((first, index) => {
		const stretch = stretches[index] ?? [];
		const title = titles[index]?.join(", ");
		const [typical = 0] = keySentences(stretch, 1);
		return {
			first,
			title: title ? title.charAt(0).toUpperCase() + title.slice(1) : `Chapter ${index + 1}`,
			summary: stretch[typical] ?? "",
		};
	});
}
