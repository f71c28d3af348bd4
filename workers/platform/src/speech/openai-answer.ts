import type {
	OpenAiFormat,
	OpenAiVerboseTranscription,
	Transcription,
} from "@parley/contracts/platform/speech";
import { WHISPER_LANGUAGES } from "@parley/engines/languages";
import { cuesFromWords, toSrt, toVtt } from "@parley/transcripts/subtitles";

export type Granularity = "word" | "segment";

export type OpenAiAnswer = { contentType: string; body: string };

const PLAIN = "text/plain; charset=utf-8";

/** A transcription as OpenAI's `response_format` names it. */
export function toOpenAiAnswer(
	transcription: Transcription,
	format: OpenAiFormat,
	granularities: readonly Granularity[],
): OpenAiAnswer {
	const { text, words } = transcription;
	switch (format) {
		case "text":
			return { contentType: PLAIN, body: `${text}\n` };
		case "srt":
			return { contentType: PLAIN, body: toSrt(cuesFromWords(words)) };
		case "vtt":
			return { contentType: "text/vtt; charset=utf-8", body: toVtt(cuesFromWords(words)) };
		case "json":
			return json({ text, usage: usageOf(transcription) });
		case "verbose_json":
			return json(toVerbose(transcription, granularities));
	}
}

/** A transcription as OpenAI streams it. No engine tells parts, so that all of the text is one delta. */
export function toOpenAiEvents(transcription: Transcription): OpenAiAnswer {
	const { text } = transcription;
	const events = [
		{ type: "transcript.text.delta", delta: text },
		{ type: "transcript.text.done", text, usage: usageOf(transcription) },
	];
	return {
		contentType: "text/event-stream; charset=utf-8",
		body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
	};
}

function toVerbose(
	transcription: Transcription,
	granularities: readonly Granularity[],
): OpenAiVerboseTranscription {
	const { language, duration, text, segments, words } = transcription;
	return {
		task: "transcribe",
		language: WHISPER_LANGUAGES[language ?? ""] ?? language ?? "unknown",
		duration,
		text,
		...(granularities.includes("segment") && { segments: segments.map(toSegment) }),
		...(granularities.includes("word") && {
			words: words.map(({ word, start, end }) => ({ word, start, end })),
		}),
		usage: usageOf(transcription),
	};
}

/** Clients expect Whisper's inner figures; engines here do not tell them. */
const toSegment = ({ id, start, end, text }: Transcription["segments"][number]) => ({
	id,
	seek: Math.round(start * 100),
	start,
	end,
	text,
	tokens: [],
	temperature: 0,
	avg_logprob: 0,
	compression_ratio: 1,
	no_speech_prob: 0,
});

const usageOf = ({ duration }: Transcription) => ({
	type: "duration" as const,
	seconds: Math.ceil(duration),
});
const json = (value: unknown): OpenAiAnswer => ({
	contentType: "application/json",
	body: JSON.stringify(value),
});
