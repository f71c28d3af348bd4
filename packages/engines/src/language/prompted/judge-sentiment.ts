import { z } from "zod";
import type { Judgement, LanguageHints, Sentence } from "../language-engine.ts";
import { askForEach, inParallel, toBatches } from "./batches.ts";
import type { ChatModel } from "./chat.ts";

const MAX_SENTENCES = 50;

const Judgements = z.strictObject({
	sentences: z.array(
		z.strictObject({
			id: z.int(),
			sentiment: z.enum(["positive", "neutral", "negative"]),
			confidence: z.number(),
		}),
	),
});

const TASK =
	"Judge the sentiment that each sentence of the transcript expresses: positive, neutral or negative, with your confidence " +
	"from 0 to 1. Plain statements, questions and small talk are neutral. Give one judgement for each id.";

/** Returns one judgement per sentence, in order. @throws EngineError */
export async function judgeSentiment(
	model: ChatModel,
	sentences: readonly Sentence[],
	{ signal }: LanguageHints,
): Promise<Judgement[]> {
	const batches = toBatches(sentences, { maxCharacters: model.maxCharacters, maxSentences: MAX_SENTENCES });
	const judged = await inParallel(batches, (batch) =>
		askForEach(model, batch, { task: TASK, schemaName: "sentiment", schema: Judgements, signal }),
	);
	return judged.flat().map(({ sentiment, confidence }) => ({
		sentiment,
		confidence: Math.min(1, Math.max(0, Math.round(confidence * 1000) / 1000)),
	}));
}
