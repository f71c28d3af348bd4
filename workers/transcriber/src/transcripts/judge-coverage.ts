import type { AudioCodec } from "@parley/audio-files/audio-info";
import type { TimeSpan } from "@parley/contracts/batch/transcript";
import { type ChunkVoice, coverageOfChunks, type Span } from "@parley/transcripts/coverage";
import { StepError } from "../step-error.ts";

/** How much of the speech the words account for, and what follows from that. */
export type Judgement = {
	coverage: number | null;
	/** Why there is no figure. */
	coverageNote: string | null;
	/** The longest stretches of speech without words, in time order. */
	gaps: TimeSpan[];
	/** Too little was covered. */
	partial: boolean;
	warnings: string[];
};

const MAX_MISSING = 10;
/** A warning names so many stretches. */
const MAX_NAMED = 3;
const NO_SPEECH = "No speech was found.";
const NOT_TOLD = "The loudness of the audio does not tell speech from pauses, so coverage was not measured.";

/** Their bytes tell how loud it is; those of the others, undecoded, what their coders made of it. */
const LOUDNESS_CODECS: readonly AudioCodec[] = ["pcm", "alaw", "ulaw", "flac"];

const whyNotTold = (codec: AudioCodec): string =>
	LOUDNESS_CODECS.includes(codec)
		? NOT_TOLD
		: `Coverage was not measured: undecoded, this ${codec} audio does not tell speech from pauses.`;

/** @param minCoverage share of the speech below which the transcript is called partial. */
export function judgeCoverage(
	words: readonly Span[],
	chunks: readonly ChunkVoice[],
	codec: AudioCodec,
	minCoverage: number,
): Judgement {
	const found = coverageOfChunks(words, chunks);
	const nothing = words.length === 0 && !found?.voicedSeconds;
	const unmeasured = { coverage: null, gaps: [], partial: false, warnings: nothing ? [NO_SPEECH] : [] };
	if (!found) return { ...unmeasured, coverageNote: whyNotTold(codec) };
	if (found.coverage === null) return { ...unmeasured, coverageNote: NO_SPEECH };
	const longest = found.missing
		.slice(0, MAX_MISSING)
		.map(({ start, end }) => ({ start_time: tenths(start), end_time: tenths(end) }));
	const partial = found.coverage < minCoverage && longest.length > 0;
	return {
		coverage: Math.round(found.coverage * 1000) / 1000,
		coverageNote: null,
		gaps: longest.toSorted((a, b) => a.start_time - b.start_time),
		partial,
		warnings: partial ? [describe(found.coverage, longest)] : [],
	};
}

/** Returns the error of a job that accepts no partial transcript. Another engine, or a later attempt, may do better. */
export const lowCoverage = ({ warnings }: Judgement): StepError =>
	new StepError("low_coverage", warnings[0] ?? NOT_TOLD, { retryable: true, maxAttempts: 1 });

function describe(coverage: number, gaps: readonly TimeSpan[]): string {
	const named = gaps
		.slice(0, MAX_NAMED)
		.map(({ start_time, end_time }) => `${clock(start_time)}–${clock(end_time)}`);
	const more = gaps.length > MAX_NAMED ? " and elsewhere" : "";
	return `Words cover ${Math.floor(coverage * 100)} % of the voiced time; there are none at ${named.join(", ")}${more}.`;
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Hours, minutes and seconds, as in `1:02:03`. */
function clock(seconds: number): string {
	const whole = Math.floor(seconds);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
