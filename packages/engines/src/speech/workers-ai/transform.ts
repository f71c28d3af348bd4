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
import { fillTimes, type LooseWord } from "../word-times.ts";

type Context = { durationSeconds?: number | undefined };

/** Reads a response of Whisper, whose language and duration are in `transcription_info`. */
export function fromWhisper(answer: unknown, context: Context = {}): Recognition {
	const body = unwrap(answer);
	const info = readObject(body.transcription_info) ?? {};
	return toRecognition(
		{ ...body, language: info.language, duration: info.duration ?? body.duration },
		context,
	);
}

/** Builds the settings of a Nova-3 run. */
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

/** Reads a response of Deepgram: the best alternative of each channel, with channels merged in time order. */
export function fromNova(answer: unknown, hints: TranscribeHints, context: Context = {}): Recognition {
	const body = unwrap(answer);
	const results = readObject(body.results);
	if (!results) throw engineError("engine_bad_response", `no results among ${Object.keys(body).join(", ")}`);
	const channels = readObjects(results.channels);
	const hasChannels = channels.length > 1;
	const durationSeconds = readNumber(readObject(body.metadata)?.duration) ?? context.durationSeconds ?? null;
	const words = channels
		.flatMap((channel, index) => {
			const best = readObjects(channel.alternatives)[0];
			const loose = readObjects(best?.words).map((word) => toWord(word, hasChannels ? index : undefined));
			return fillTimes(loose, durationSeconds);
		})
		.sort((a, b) => a.start - b.start);
	const requested = hints.language && hints.language !== "auto" ? baseLanguage(hints.language) : null;
	const transcripts = channels.map(
		(channel) => readString(readObjects(channel.alternatives)[0]?.transcript) ?? "",
	);
	return {
		language: languageCode(channels[0]?.detected_language) ?? requested,
		durationSeconds,
		text: transcripts.filter(Boolean).join(" ").replace(/\s+/g, " ").trim(),
		segments: readObjects(results.utterances).flatMap((utterance) => toSegment(utterance, hasChannels)),
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

function toSegment(utterance: JsonObject, hasChannels: boolean): RecognisedSegment[] {
	const start = readNumber(utterance.start);
	const end = readNumber(utterance.end);
	const text = readString(utterance.transcript);
	const speaker = readLabel(utterance.speaker);
	const channel = hasChannels ? readNumber(utterance.channel) : null;
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

/** Unwraps `{result}`, which the REST API adds and the binding does not. */
function unwrap(answer: unknown): JsonObject {
	const body = readObject(answer);
	if (!body) throw engineError("engine_bad_response", "the response is not a JSON object");
	return readObject(body.result) ?? body;
}
