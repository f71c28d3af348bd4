import { musicEvents, type SoundEvent } from "../../audio-events/music-events.ts";
import type {
	Chapter,
	LanguageCapabilities,
	LanguageEngine,
	Sentence,
	SummaryWishes,
	TypedEvent,
} from "../language-engine.ts";
import { keywordsOf, matchTopics, tellingTerms } from "./keywords.ts";
import { sentimentOf } from "./lexicon-sentiment.ts";
import { keySentences } from "./textrank.ts";
import { findBorders } from "./texttiling.ts";

const BRIEF_SENTENCES = 3;
const DETAILED_SENTENCES = [6, 12] as const;
const TITLE_TERMS = 3;

/** What can be done with English text, and with sound, without any model: the same gives the same answer, always. */
export function classicalEngine(code: string, can: LanguageCapabilities): LanguageEngine {
	return {
		code,
		capabilities: can,
		...(can.summarization && {
			summarise: async (sentences, { wishes }) => summarise(textsOf(sentences), wishes),
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

const toMusic = (event: SoundEvent): TypedEvent => ({ type: "music", ...event });

const textsOf = (sentences: readonly Sentence[]): string[] => sentences.map(({ text }) => text);

/** An extract: sentences as they were said. */
export function summarise(
	texts: readonly string[],
	{ summary_length, summary_type }: Pick<SummaryWishes, "summary_length" | "summary_type">,
): string {
	const [least, most] = DETAILED_SENTENCES;
	const tenth = Math.ceil(texts.length / 10);
	const count = summary_length === "brief" ? BRIEF_SENTENCES : Math.min(most, Math.max(least, tenth));
	const chosen = keySentences(texts, count).map((index) => texts[index] ?? "");
	if (summary_type === "bullets") return chosen.map((text) => `- ${text}`).join("\n");
	return chosen.map((text) => (/[.!?…]["'”’)]*$/u.test(text) ? text : `${text}.`)).join(" ");
}

/** Stretches of one vocabulary, titled by the terms that the others lack, with their most typical sentence. */
export function findChapters(sentences: readonly Sentence[]): Chapter[] {
	const texts = textsOf(sentences);
	const borders = findBorders(sentences);
	const stretches = borders.map((first, index) => texts.slice(first, borders[index + 1]));
	const titles = tellingTerms(
		stretches.map((stretch) => stretch.join("\n")),
		TITLE_TERMS,
	);
	return borders.map((first, index) => {
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
