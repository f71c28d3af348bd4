import { languageCode } from "../../languages.ts";
import { EngineError, engineError } from "../../transport/engine-error.ts";
import { errorText } from "../../transport/http.ts";
import {
	type JsonObject,
	readLabel,
	readNumber,
	readObject,
	readObjects,
	readShare,
	readString,
} from "../../transport/read-json.ts";
import { joinPieces, punctuate } from "../punctuation.ts";
import type { RecognisedSegment, Recognition, VocabularyEntry } from "../speech-engine.ts";
import { type LooseWord, settleTimes, spreadWords } from "../word-times.ts";

export const ESTIMATED_TIMES =
	"The engine gave no word times; they are estimated from the times of longer passages.";

/** Whisper keeps the last 224 tokens of a prompt. */
export const PROMPT_CHARACTERS = 800;

/** Nobody says as much in what one answer is about. */
const MAX_WORDS = 50_000;

/** What was asked, as far as it helps to read the answer. */
export type AnswerContext = { durationSeconds?: number | undefined };

/**
 * Reads a transcription answer of OpenAI, Groq, whisper.cpp, speaches, vLLM or the local speech server: words at top level
 * or inside segments, punctuated or not, times as numbers or strings, language as code or name. Throws EngineError when it
 * holds an error, or nothing to read.
 */
export function toRecognition(answer: unknown, context: AnswerContext = {}): Recognition {
	const body = readObject(answer);
	if (!body) throw engineError("engine_bad_response", "the answer is not a JSON object");
	if (body.error) {
		const said = errorText(body.error) ?? "an unexplained error";
		throw new EngineError("engine_bad_response", "The speech engine reported an error.", { detail: said });
	}
	const rawSegments = readObjects(body.segments);
	const durationSeconds = readNumber(body.duration) ?? context.durationSeconds ?? null;
	const text =
		readString(body.text) ?? rawSegments.map((segment) => readString(segment.text) ?? "").join(" ");
	const rawWords = wordsOf(body, rawSegments);
	if (readString(body.text) === null && rawSegments.length === 0 && rawWords.length === 0) {
		throw engineError(
			"engine_bad_response",
			`no text, segments or words among ${Object.keys(body).join(", ")}`,
		);
	}

	if (rawWords.length > MAX_WORDS) throw engineError("engine_bad_response", `${rawWords.length} words`);

	const plainText = text.replace(/\s+/g, " ").trim();
	const segments = toSegments(rawSegments, plainText, durationSeconds);
	const words = settleTimes(punctuate(joinPieces(rawWords), plainText), durationSeconds);
	const wordTimesEstimated = words.length === 0 && segments.length > 0;
	const warnings = readWarnings(body.warnings);
	return {
		language: languageCode(body.detected_language) ?? languageCode(body.language),
		durationSeconds,
		text: plainText,
		segments,
		words: wordTimesEstimated ? segments.flatMap(spreadWords) : words,
		wordTimesEstimated,
		warnings: wordTimesEstimated ? [...warnings, ESTIMATED_TIMES] : warnings,
	};
}

function wordsOf(body: JsonObject, segments: readonly JsonObject[]): LooseWord[] {
	const top = readObjects(body.words).map((word) => toWord(word));
	const inside = segments.flatMap((segment) =>
		readObjects(segment.words).map((word) => toWord(word, readLabel(segment.speaker))),
	);
	// Words without any time are worth less than segments with times.
	return [top, inside].find((words) => words.some((word) => word.start !== null)) ?? [];
}

function toWord(word: JsonObject, segmentSpeaker?: string): LooseWord {
	const speaker = readLabel(word.speaker) ?? segmentSpeaker;
	return {
		word: readString(word.word) ?? readString(word.text) ?? "",
		start: readNumber(word.start),
		end: readNumber(word.end),
		confidence: readShare(word.probability ?? word.confidence ?? word.score),
		...(speaker === undefined ? {} : { speaker }),
	};
}

/** Segments with usable times; text without any becomes one segment over the whole audio. */
function toSegments(
	raw: readonly JsonObject[],
	text: string,
	durationSeconds: number | null,
): RecognisedSegment[] {
	const segments = raw.flatMap((segment): RecognisedSegment[] => {
		const start = readNumber(segment.start);
		const end = readNumber(segment.end);
		const said = (readString(segment.text) ?? "").replace(/\s+/g, " ").trim();
		const speaker = readLabel(segment.speaker);
		if (start === null || end === null || !said) return [];
		const label = speaker === undefined ? {} : { speaker };
		return [{ start: Math.max(0, start), end: Math.max(0, start, end), text: said, ...label }];
	});
	if (segments.length > 0 || !text) return segments;
	return [{ start: 0, end: durationSeconds ?? 0, text }];
}

function readWarnings(value: unknown): string[] {
	return Array.isArray(value) ? value.flatMap((warning) => errorText(warning) ?? []) : [];
}

/** Vocabulary and context as one prompt; the vocabulary stands last, since the start of a long prompt is forgotten. */
export function toPrompt(
	prompt: string | undefined,
	vocabulary: readonly VocabularyEntry[],
): { prompt: string | undefined; warnings: string[] } {
	const terms = vocabulary.map((entry) => entry.content).join(", ");
	const room = Math.max(0, PROMPT_CHARACTERS - terms.length - 1);
	const context = (prompt ?? "").slice(-room || Number.POSITIVE_INFINITY);
	const warnings = vocabulary.some((entry) => entry.sounds_like?.length)
		? ["The engine takes vocabulary by spelling only; sounds_like was not used."]
		: [];
	return { prompt: [context, terms].filter(Boolean).join(" ") || undefined, warnings };
}
