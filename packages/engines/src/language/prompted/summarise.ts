import { z } from "zod";
import type { LanguageHints, Sentence, SummaryOptions } from "../language-engine.ts";
import { inParallel, toBatches } from "./batches.ts";
import { ask, type ChatModel } from "./chat.ts";

const Notes = z.strictObject({ notes: z.string() });
const Summary = z.strictObject({
	parts: z.array(z.string()).refine((parts) => parts.some((part) => part.trim()), "must not be empty"),
});

const NOTES_TASK =
	"The data is one part of a longer recording. Write notes of all that matters in it, in the language of the recording, in " +
	"at most ten sentences, for somebody who will summarise the whole from such notes.";

/** Summarises a transcript. A long one is first reduced to notes, part by part. @throws EngineError */
export async function summarise(
	model: ChatModel,
	sentences: readonly Sentence[],
	{ options, signal }: LanguageHints & { options: SummaryOptions },
): Promise<string> {
	let parts = toBatches(sentences, model).map((batch) =>
		batch.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`)).join("\n"),
	);
	while (parts.length > 1) {
		const notes = await inParallel(parts, async (text) => {
			const question = { task: NOTES_TASK, schemaName: "notes", schema: Notes, signal };
			const answer = await ask(model.chat, { ...question, data: { transcript: text } });
			// Each round must be shorter than the one before, whatever the model writes.
			return answer.notes.slice(0, model.maxCharacters / 4);
		});
		parts = packed(notes, model.maxCharacters);
	}
	const { parts: paragraphs } = await ask(model.chat, {
		task: taskOf(options),
		schemaName: "summary",
		schema: Summary,
		data: { transcript: parts[0] ?? "" },
		signal,
	});
	const texts = paragraphs.map((part) => part.replace(/\s+/g, " ").trim()).filter(Boolean);
	return options.summary_type === "bullets"
		? texts.map((text) => `- ${text.replace(/^[-•*]\s+/, "")}`).join("\n")
		: texts.join("\n\n");
}

/** Joins texts into as few parts as fit the limit. */
function packed(texts: readonly string[], maxCharacters: number): string[] {
	const whole: string[] = [];
	for (const text of texts) {
		const last = whole.at(-1);
		if (last !== undefined && last.length + text.length < maxCharacters)
			whole[whole.length - 1] = `${last}\n${text}`;
		else whole.push(text);
	}
	return whole;
}

const KINDS: Record<SummaryOptions["content_type"], string> = {
	auto: "",
	informative: " It informs about something: tell what is said about it.",
	conversational:
		" It is a conversation: tell who wants what, what is decided, and what is to be done by whom.",
};

function taskOf({ content_type, summary_length, summary_type }: SummaryOptions): string {
	const brief = summary_length === "brief";
	const shape =
		summary_type === "bullets"
			? `${brief ? "three to five" : "eight to twelve"} bullet points of one sentence each, one part a point`
			: `${brief ? "one paragraph of three to five sentences" : "two to four paragraphs"}, one part a paragraph`;
	return `Summarise the recording in its own language, as ${shape}.${KINDS[content_type]} Say only what it says.`;
}
