import type { z } from "zod";
import type { Sentence } from "../language-engine.ts";
import { languageError } from "../language-error.ts";
import { ask, type ChatModel, type Question } from "./chat.ts";

/** A sentence as a model sees it: `id` is its place in the transcript. */
export type Numbered = { id: number; text: string; speaker?: string };

const AT_ONCE = 4;

/** Sentences in order, in batches of at most so many characters and sentences; one that is longer is alone. */
export function batchesOf(
	sentences: readonly Sentence[],
	{
		maxCharacters,
		maxSentences = Number.POSITIVE_INFINITY,
	}: { maxCharacters: number; maxSentences?: number },
): Numbered[][] {
	const batches: Numbered[][] = [];
	let room = 0;
	sentences.forEach(({ text, speaker }, id) => {
		const numbered = { id, text, ...(speaker !== undefined && { speaker }) };
		const last = batches.at(-1);
		room -= text.length;
		if (last && room >= 0 && last.length < maxSentences) last.push(numbered);
		else {
			batches.push([numbered]);
			room = maxCharacters - text.length;
		}
	});
	return batches;
}

/** Some at once, the results in order. After a failure nothing new is begun. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const run = async () => {
		while (next < items.length) {
			const index = next++;
			try {
				results[index] = await work(items[index] as T);
			} catch (error) {
				next = items.length;
				throw error;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, run));
	return results;
}

/**
 * Asks for one answer a sentence. Sentences that the model left out are asked for again, once.
 * @throws EngineError `engine_bad_response` when some are missing even then.
 */
export async function askForEach<A extends { id: number }>(
	{ chat }: ChatModel,
	batch: readonly Numbered[],
	question: Omit<Question<unknown>, "data" | "schema"> & { schema: z.ZodType<{ sentences: A[] }> },
): Promise<A[]> {
	const answers = new Map<number, A>();
	const take = async (wanted: readonly Numbered[]) => {
		const { sentences } = await ask(chat, { ...question, data: { transcript: wanted } });
		const ids = new Set(wanted.map(({ id }) => id));
		for (const answer of sentences)
			if (ids.has(answer.id) && !answers.has(answer.id)) answers.set(answer.id, answer);
	};
	await take(batch);
	const missing = batch.filter(({ id }) => !answers.has(id));
	if (missing.length > 0) await take(missing);
	return batch.map(({ id }) => {
		const answer = answers.get(id);
		if (answer) return answer;
		throw languageError("engine_bad_response", `${question.schemaName}: no answer for sentence ${id}`);
	});
}
