import { z } from "zod";
import { languageName } from "../extras.ts";
import type { LanguageHints, Sentence } from "../language-engine.ts";
import { askForEach, inParallel, toBatches } from "./batches.ts";
import type { ChatModel } from "./chat.ts";

/** Maximum characters per request, so that a translation, which may be longer than its source, fits into a response. */
const MAX_CHARACTERS = 3000;
const MAX_SENTENCES = 40;

const Translations = z.strictObject({
	sentences: z.array(z.strictObject({ id: z.int(), translation: z.string() })),
});

/** Returns one translation per sentence, in order. @throws EngineError */
export async function translate(
	model: ChatModel,
	sentences: readonly Sentence[],
	{ language, targetLanguage, signal }: LanguageHints & { targetLanguage: string },
): Promise<string[]> {
	const name = (tag: string) => `${languageName(tag) ?? tag} (${tag})`;
	const task =
		`Translate the transcript from ${name(language)} to ${name(targetLanguage)}. Give one translation for each id: never ` +
		"merge, split or leave out sentences, even where one is a fragment. Keep names and numbers. Where words were plainly " +
		"misheard, translate what stands there.";
	const maxCharacters = Math.min(MAX_CHARACTERS, model.maxCharacters);
	const batches = toBatches(sentences, { maxCharacters, maxSentences: MAX_SENTENCES });
	const translated = await inParallel(batches, (batch) =>
		askForEach(model, batch, { task, schemaName: "translations", schema: Translations, signal }),
	);
	return translated.flat().map(({ translation }) => translation.trim());
}
