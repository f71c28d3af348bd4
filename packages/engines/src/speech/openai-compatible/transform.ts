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
import { fillTimes, type LooseWord, spreadWords } from "../word-times.ts";

export const ESTIMATED_TIMES =
	"The engine returned no word times. They are estimated from the times of longer segments.";

/** Maximum length of a prompt. Whisper uses the last 224 tokens. */
export const MAX_PROMPT_CHARACTERS = 800;

/** Maximum number of words in a response. */
const MAX_WORDS = 50_000;

/** Facts about the request that help to read the response. */
export type ResponseContext = { durationSeconds?: number | undefined };

/**
 * Reads a transcription response of OpenAI, Groq, whisper.cpp, speaches, vLLM or the local speech server. Words may be at the top level or inside
 * segments, with or without punctuation. Times may be numbers or strings, and the language a code or a name.
 * @throws EngineError if the response contains an error, or nothing to read.
 */
export function toRecognition(answer: unknown, context: ResponseContext = {}): Recognition {
	const body = readObject(answer);
	if (!body) throw engineError("engine_bad_response", "the response is not a JSON object");
	if (body.error) {
		const detail = errorText(body.error) ?? "an unexplained error";
		throw new EngineError("engine_bad_response", "The speech engine reported an error.", { detail });
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
	const words = fillTimes(punctuate(joinPieces(rawWords), plainText), durationSeconds);
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
	// Segments with times are better than words without any.
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

/** Returns the segments with usable times. Text without segments becomes one over the whole audio. */
function toSegments(
	raw: readonly JsonObject[],
	text: string,
	durationSeconds: number | null,
): RecognisedSegment[] {
	const segments = raw.flatMap((segment): RecognisedSegment[] => {
		const start = readNumber(segment.start);
		const end = readNumber(segment.end);
		const text = (readString(segment.text) ?? "").replace(/\s+/g, " ").trim();
		const speaker = readLabel(segment.speaker);
		if (start === null || end === null || !text) return [];
		const label = speaker === undefined ? {} : { speaker };
		return [{ start: Math.max(0, start), end: Math.max(0, start, end), text, ...label }];
	});
	if (segments.length > 0 || !text) return segments;
	return [{ start: 0, end: durationSeconds ?? 0, text }];
}

function readWarnings(value: unknown): string[] {
	return Array.isArray(value) ? value.flatMap((warning) => errorText(warning) ?? []) : [];
}

/** Combines vocabulary and context into a prompt. The vocabulary comes last, because Whisper ignores the start of a long prompt. */
export function toPrompt(
	prompt: string | undefined,
	vocabulary: readonly VocabularyEntry[],
): { prompt: string | undefined; warnings: string[] } {
	const terms = vocabulary.map((entry) => entry.content).join(", ");
	const remaining = Math.max(0, MAX_PROMPT_CHARACTERS - terms.length - 1);
	const context = (prompt ?? "").slice(-remaining || Number.POSITIVE_INFINITY);
	const warnings = vocabulary.some((entry) => entry.sounds_like?.length)
		? ["The engine accepts vocabulary by spelling only. `sounds_like` was not used."]
		: [];
	return { prompt: [context, terms].filter(Boolean).join(" ") || undefined, warnings };
}
