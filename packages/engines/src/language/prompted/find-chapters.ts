import { z } from "zod";
import type { Chapter, LanguageHints, Sentence } from "../language-engine.ts";
import { type Numbered, toBatches } from "./batches.ts";
import { ask, type ChatModel } from "./chat.ts";

const MAX_TITLE_CHARACTERS = 120;

const TASK =
	"Divide the transcript into chapters: stretches about one subject each, rather few and long than many and short. Give each " +
	"by the id of its first sentence, with a title of at most eight words and a summary of one or two sentences, in the " +
	"language of the transcript. The first chapter begins with the first sentence. Say whether that chapter goes on with the " +
	"subject of the previous chapter; without a previous chapter it does not.";

/** Finds chapters part by part. Joins a part's first chapter with the last one before it if both are about one subject. @throws EngineError */
export async function findChapters(
	{ chat, maxCharacters }: ChatModel,
	sentences: readonly Sentence[],
	{ signal }: LanguageHints,
): Promise<Chapter[]> {
	const chapters: Chapter[] = [];
	for (const batch of toBatches(sentences, { maxCharacters })) {
		const previous = chapters.at(-1);
		const answer = await ask(chat, {
			task: TASK,
			schemaName: "chapters",
			schema: chaptersOf(batch),
			data: {
				previous_chapter: previous ? { title: previous.title, summary: previous.summary } : null,
				transcript: batch,
			},
			signal,
		});
		const found = answer.chapters.map(({ first, title, summary }) => ({
			first,
			title: clean(title).slice(0, MAX_TITLE_CHARACTERS),
			summary: clean(summary),
		}));
		if (previous && answer.goes_on)
			previous.summary = `${previous.summary} ${found.shift()?.summary ?? ""}`.trim();
		chapters.push(...found);
	}
	return chapters;
}

function chaptersOf(batch: readonly Numbered[]) {
	const from = batch[0]?.id ?? 0;
	const to = batch.at(-1)?.id ?? 0;
	const Found = z.strictObject({ first: z.int(), title: z.string(), summary: z.string() });
	return z.strictObject({
		goes_on: z.boolean(),
		chapters: z
			.array(Found)
			.refine(
				(chapters) =>
					chapters[0]?.first === from &&
					chapters.every(
						({ first, title }, index) =>
							title.trim() !== "" && first <= to && first > (chapters[index - 1]?.first ?? from - 1),
					),
				`must have titles, begin with id ${from}, and go on with rising ids up to ${to}`,
			),
	});
}

const clean = (text: string): string => text.replace(/\s+/g, " ").trim();
