import type { z } from "zod";
import type { Sentence } from "../language-engine.ts";
import { languageError } from "../language-error.ts";
import { ask, type ChatModel, type Question } from "./chat.ts";

/** A sentence in a prompt. `id` is its index in the transcript. */
export type Numbered = { id: number; text: string; speaker?: string };

/** Maximum number of parallel requests per feature. */
const MAX_PARALLEL = 4;

/** Divides sentences into batches of at most so many characters and sentences. A longer sentence gets its own batch. */
export function toBatches(
	sentences: readonly Sentence[],
	{
		maxCharacters,
		maxSentences = Number.POSITIVE_INFINITY,
	}: { maxCharacters: number; maxSentences?: number },
): Numbered[][] {
	const batches: Numbered[][] = [];
	let remaining = 0;
	sentences.forEach(({ text, speaker }, id) => {
		const numbered = { id, text, ...(speaker !== undefined && { speaker }) };
		const last = batches.at(-1);
		remaining -= text.length;
		if (last && remaining >= 0 && last.length < maxSentences) last.push(numbered);
		else {
			batches.push([numbered]);
			remaining = maxCharacters - text.length;
		}
	});
	return batches;
}

/** Runs `work` for all items, a few in parallel, and returns the results in order. Starts nothing new after a failure. */
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
	await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, items.length) }, run));
	return results;
}

/**
 * Asks a question with one answer per sentence. Asks once more for the sentences that the model omitted.
 * @throws EngineError `engine_bad_response` if answers are still missing.
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
