import type { LanguageCapabilities, LanguageEngine } from "../language-engine.ts";
import type { ChatModel } from "./chat.ts";
import { findChapters } from "./find-chapters.ts";
import { findTopics } from "./find-topics.ts";
import { judgeSentiment } from "./judge-sentiment.ts";
import { summarise } from "./summarise.ts";
import { translate } from "./translate.ts";

/** Creates a language engine from a chat model. */
export function promptedEngine(code: string, can: LanguageCapabilities, model: ChatModel): LanguageEngine {
	return {
		code,
		capabilities: can,
		...(can.translation && { translate: (sentences, hints) => translate(model, sentences, hints) }),
		...(can.summarization && { summarise: (sentences, hints) => summarise(model, sentences, hints) }),
		...(can.sentiment_analysis && {
			judgeSentiment: (sentences, hints) => judgeSentiment(model, sentences, hints),
		}),
		...(can.topic_detection && { findTopics: (sentences, hints) => findTopics(model, sentences, hints) }),
		...(can.auto_chapters && { findChapters: (sentences, hints) => findChapters(model, sentences, hints) }),
	};
}
