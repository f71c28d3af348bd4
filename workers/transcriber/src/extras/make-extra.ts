import type { TranscriptExtras } from "@parley/contracts/batch/transcript-extras";
import type { TextExtra } from "@parley/engines/language/extras";
import type { LanguageEngine, LanguageHints } from "@parley/engines/language/language-engine";
import type { SpokenSentence } from "@parley/transcripts/sentences";
import { toChapters, toSentiment, toTopics, toTranslation } from "./to-extra.ts";

/** Has an engine make one extra of a transcript's text. Throws EngineError. */
export async function makeExtra(
	engine: LanguageEngine,
	extra: TextExtra,
	sentences: readonly SpokenSentence[],
	hints: LanguageHints,
): Promise<TranscriptExtras> {
	switch (extra.feature) {
		case "translation": {
			const targetLanguage = extra.target;
			const translations = await offered(engine.translate)(sentences, { ...hints, targetLanguage });
			return { translations: { [extra.target]: toTranslation(sentences, translations) } };
		}
		case "summarization": {
			const { options } = extra;
			return { summary: { content: await offered(engine.summarise)(sentences, { ...hints, options }) } };
		}
		case "sentiment_analysis":
			return {
				sentiment_analysis: toSentiment(sentences, await offered(engine.judgeSentiment)(sentences, hints)),
			};
		case "topic_detection": {
			const { topics } = extra;
			return {
				topics: toTopics(sentences, await offered(engine.findTopics)(sentences, { ...hints, topics })),
			};
		}
		case "auto_chapters":
			return { chapters: toChapters(sentences, await offered(engine.findChapters)(sentences, hints)) };
	}
}

/** Returns the extra of a transcript without words. No engine is called. */
export function emptyExtra(extra: TextExtra): TranscriptExtras {
	switch (extra.feature) {
		case "translation":
			return { translations: { [extra.target]: [] } };
		case "summarization":
			return { summary: { content: "" } };
		case "sentiment_analysis":
			return { sentiment_analysis: toSentiment([], []) };
		case "topic_detection":
			return { topics: toTopics([], []) };
		case "auto_chapters":
			return { chapters: [] };
	}
}

function offered<T>(method: T | undefined): T {
	if (method === undefined) throw new Error("The engine was chosen for what it does not offer");
	return method;
}
