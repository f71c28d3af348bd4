import { baseLanguage, languageCode } from "../../languages.ts";
import { engineError } from "../../transport/engine-error.ts";
import {
	type JsonObject,
	readLabel,
	readNumber,
	readObject,
	readObjects,
	readShare,
	readString,
} from "../../transport/read-json.ts";
import { toRecognition } from "../openai-compatible/transform.ts";
import type { RecognisedSegment, Recognition, TranscribeHints } from "../speech-engine.ts";
import { type LooseWord, settleTimes } from "../word-times.ts";

type Context = { durationSeconds?: number | undefined };

/** Whisper's answer differs from OpenAI's in that language and duration stand in `transcription_info`. */
export function fromWhisper(answer: unknown, context: Context = {}): Recognition {
	const body = unwrap(answer);
	const info = readObject(body.transcription_info) ?? {};
	return toRecognition(
		{ ...body, language: info.language, duration: info.duration ?? body.duration },
		context,
	);
}

/** Settings of a Nova-3 run that the hints ask for. */
export function toNovaInput(hints: TranscribeHints): Record<string, unknown> {
	const named = hints.language && hints.language !== "auto" ? hints.language : undefined;
	return {
		punctuate: true,
		smart_format: true,
		utterances: true,
		...(named ? { language: named } : { detect_language: true }),
		...(hints.diarization === "speaker" ? { diarize: true } : {}),
		...(hints.diarization === "channel" ? { multichannel: true } : {}),
		...(hints.domain && hints.domain !== "general" ? { mode: hints.domain } : {}),
	};
}

/** Reads Deepgram's answer: the best alternative of each channel, channels merged in time order. */
export function fromNova(answer: unknown, hints: TranscribeHints, context: Context = {}): Recognition {
	const body = unwrap(answer);
	const results = readObject(body.results);
	if (!results) throw engineError("engine_bad_response", `no results among ${Object.keys(body).join(", ")}`);
	const channels = readObjects(results.channels);
	const apart = channels.length > 1;
	const durationSeconds = readNumber(readObject(body.metadata)?.duration) ?? context.durationSeconds ?? null;
	const words = channels
		.flatMap((channel, index) => {
			const best = readObjects(channel.alternatives)[0];
			const loose = readObjects(best?.words).map((word) => toWord(word, apart ? index : undefined));
			return settleTimes(loose, durationSeconds);
		})
		.sort((a, b) => a.start - b.start);
	const asked = hints.language && hints.language !== "auto" ? baseLanguage(hints.language) : null;
	const transcripts = channels.map(
		(channel) => readString(readObjects(channel.alternatives)[0]?.transcript) ?? "",
	);
	return {
		language: languageCode(channels[0]?.detected_language) ?? asked,
		durationSeconds,
		text: transcripts.filter(Boolean).join(" ").replace(/\s+/g, " ").trim(),
		segments: readObjects(results.utterances).flatMap((utterance) => toSegment(utterance, apart)),
		words,
		wordTimesEstimated: false,
		warnings: [],
	};
}

function toWord(word: JsonObject, channel: number | undefined): LooseWord {
	const speaker = readLabel(word.speaker);
	return {
		word: readString(word.punctuated_word) ?? readString(word.word) ?? "",
		start: readNumber(word.start),
		end: readNumber(word.end),
		confidence: readShare(word.confidence),
		...(speaker === undefined ? {} : { speaker }),
		...(channel === undefined ? {} : { channel }),
	};
}

function toSegment(utterance: JsonObject, apart: boolean): RecognisedSegment[] {
	const start = readNumber(utterance.start);
	const end = readNumber(utterance.end);
	const text = readString(utterance.transcript);
	const speaker = readLabel(utterance.speaker);
	const channel = apart ? readNumber(utterance.channel) : null;
	if (start === null || end === null || !text) return [];
	return [
		{
			start,
			end,
			text,
			...(speaker === undefined ? {} : { speaker }),
			...(channel === null ? {} : { channel }),
		},
	];
}

/** The REST interface wraps answers in `{result}`; the binding does not. */
function unwrap(answer: unknown): JsonObject {
	const body = readObject(answer);
	if (!body) throw engineError("engine_bad_response", "the answer is not a JSON object");
	return readObject(body.result) ?? body;
}
