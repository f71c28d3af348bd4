import { deflateSync } from "node:zlib";
import { type Segment, type Transcript, toSegments, toText, type Word } from "./transcript.ts";
import type { Granularity, ResponseFormat } from "./transcription-request.ts";

/** Renders the transcript in the requested format. */
export function renderTranscript(
	transcript: Transcript,
	format: ResponseFormat,
	granularities: readonly Granularity[],
): { contentType: string; body: string } {
	const segments = toSegments(transcript.words);
	const text = toText(transcript.words);
	const usage = { type: "duration", seconds: Math.ceil(transcript.duration) };
	switch (format) {
		case "json":
			return json({ text, usage });
		case "verbose_json":
			return json({
				task: "transcribe",
				language: "english",
				duration: transcript.duration,
				text,
				segments: granularities.includes("segment") ? segments.map(toWireSegment) : undefined,
				words: granularities.includes("word") ? transcript.words : undefined,
				usage,
				warnings: transcript.warnings,
			});
		case "text":
			return { contentType: "text/plain; charset=utf-8", body: `${text}\n` };
		case "srt":
			return { contentType: "text/plain; charset=utf-8", body: segments.map(toSrtCue).join("\n") };
		case "vtt":
			return {
				contentType: "text/vtt; charset=utf-8",
				body: `WEBVTT\n\n${segments.map(toVttCue).join("\n")}`,
			};
	}
}

function json(value: unknown) {
	return { contentType: "application/json", body: JSON.stringify(value) };
}

/** Clients of OpenAI expect Whisper's fields; the engine has neither tokens nor temperature, and hears no words in silence. */
function toWireSegment({ start, end, text, words }: Segment, id: number) {
	const bytes = Buffer.from(text);
	return {
		id,
		seek: Math.round(start * 100),
		start,
		end,
		text,
		tokens: [],
		temperature: 0,
		avg_logprob: rounded(meanLogProbability(words)),
		compression_ratio: rounded(bytes.length / deflateSync(bytes).length),
		no_speech_prob: 0,
	};
}

function meanLogProbability(words: readonly Word[]): number {
	return (
		words.reduce((sum, { probability }) => sum + Math.log(Math.max(1e-4, probability)), 0) / words.length
	);
}

function rounded(value: number): number {
	return Math.round(value * 1e4) / 1e4;
}

function toSrtCue({ start, end, text }: Segment, index: number): string {
	const harmless = twoLines(text).replaceAll("-->", "->");
	return `${index + 1}\n${timestamp(start, ",")} --> ${timestamp(end, ",")}\n${harmless}\n`;
}

function toVttCue({ start, end, text }: Segment): string {
	const escaped = twoLines(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
	return `${timestamp(start, ".")} --> ${timestamp(end, ".")}\n${escaped}\n`;
}

/** Formats 3661.5 as 01:01:01.500. SubRip and WebVTT differ in the decimal sign. */
function timestamp(seconds: number, decimalSign: string): string {
	const [whole = "", fraction] = new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).split(".");
	const hours = String(Math.floor(seconds / 3600)).padStart(2, "0");
	return `${hours}${whole.slice(2)}${decimalSign}${fraction}`;
}

/** Maximum characters per line. */
const MAX_LINE = 42;

/** Breaks a long text at the space nearest to its middle. */
function twoLines(text: string): string {
	if (text.length <= MAX_LINE) return text;
	const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
	if (spaces.length === 0) return text;
	const middle = text.length / 2;
	const at = spaces.reduce((best, space) =>
		Math.abs(space - middle) < Math.abs(best - middle) ? space : best,
	);
	return `${text.slice(0, at)}\n${text.slice(at + 1)}`;
}
