import { z } from "zod";
import type { LanguageHints, Sentence } from "../language-engine.ts";
import { inParallel, type Numbered, toBatches } from "./batches.ts";
import { ask, type ChatModel } from "./chat.ts";

const MAX_TOPICS = 10;
const MAX_TOPIC_CHARACTERS = 100;

type Stretch = { first: number; last: number; topics: string[] };
type Hints = LanguageHints & { topics?: readonly string[] | undefined };

/** Finds the topics of each sentence. Without a given list, each prompt contains the topics of the parts before. @throws EngineError */
export async function findTopics(
	model: ChatModel,
	sentences: readonly Sentence[],
	{ topics: given, signal }: Hints,
): Promise<string[][]> {
	const batches = toBatches(sentences, model);
	const found: string[][] = sentences.map(() => []);
	if (given?.length) {
		const stretches = await inParallel(batches, (batch) => askAbout(model, batch, given, signal));
		mark(found, stretches.flat(), spelledAs(given));
		return found;
	}
	const known: string[] = [];
	for (const batch of batches) {
		const stretches = await askForTopics(model, batch, known, signal);
		for (const topic of stretches.flatMap(({ topics }) => topics.map(spelledAs(known))))
			if (!known.includes(topic) && known.length < MAX_TOPICS) known.push(topic);
		mark(found, stretches, spelledAs(known), known);
	}
	return found;
}

const inStretches =
	"Give stretches of the transcript by the ids of their first and last sentence, with their topics.";

async function askAbout(
	{ chat }: ChatModel,
	batch: readonly Numbered[],
	topics: readonly string[],
	signal: AbortSignal | undefined,
): Promise<Stretch[]> {
	const { stretches } = await ask(chat, {
		task: `Find where the transcript is about one of the listed topics. ${inStretches} Use the topics as they are spelled; leave out what is about none of them.`,
		schemaName: "topics",
		schema: stretchesOf(batch, z.enum([...topics])),
		data: { topics, transcript: batch },
		signal,
	});
	return stretches;
}

async function askForTopics(
	{ chat }: ChatModel,
	batch: readonly Numbered[],
	known: readonly string[],
	signal: AbortSignal | undefined,
): Promise<Stretch[]> {
	const { stretches } = await ask(chat, {
		task: `Find what the transcript is about: at most ${MAX_TOPICS} broad topics of one to three words, in its language. ${inStretches} Use known topics where they fit; leave out what is about nothing in particular.`,
		schemaName: "topics",
		schema: stretchesOf(batch, z.string()),
		data: { known_topics: known, transcript: batch },
		signal,
	});
	return stretches;
}

function stretchesOf(batch: readonly Numbered[], topic: z.ZodType<string>) {
	const from = batch[0]?.id ?? 0;
	const to = batch.at(-1)?.id ?? 0;
	const Stretch = z.strictObject({ first: z.int(), last: z.int(), topics: z.array(topic) });
	return z.strictObject({
		stretches: z
			.array(Stretch)
			.refine(
				(stretches) => stretches.every(({ first, last }) => first >= from && first <= last && last <= to),
				`first and last must be ids from ${from} to ${to}`,
			),
	});
}

/** Adds the topics of stretches to their sentences. With `only`, ignores other topics. */
function mark(
	found: string[][],
	stretches: readonly Stretch[],
	spell: (topic: string) => string,
	only?: readonly string[],
): void {
	for (const { first, last, topics } of stretches) {
		for (const topic of topics.map(spell)) {
			if (topic === "" || (only && !only.includes(topic))) continue;
			for (let id = first; id <= last; id++) if (!found[id]?.includes(topic)) found[id]?.push(topic);
		}
	}
}

/** Returns a function that spells a topic like the known topic that equals it, ignoring case. */
const spelledAs =
	(known: readonly string[]) =>
	(topic: string): string => {
		const clean = topic.replace(/\s+/g, " ").trim().slice(0, MAX_TOPIC_CHARACTERS);
		return known.find((one) => one.toLowerCase() === clean.toLowerCase()) ?? clean;
	};
