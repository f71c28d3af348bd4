import { channelName } from "@parley/batch/channel-name";
import type { Peaks } from "@parley/batch/stored-peaks";
import { type TranscriptWord, toResults } from "@parley/batch/transcript-words";
import type { Transcript } from "@parley/contracts/batch/transcript";
import { TRANSCRIPT_FORMAT } from "@parley/contracts/batch/transcript";
import type { ExtrasMetadata, TranscriptExtras } from "@parley/contracts/batch/transcript-extras";
import type { JobRow } from "@parley/db/batch/jobs";
import type { RecognisedWord } from "@parley/engines/speech/speech-engine";
import type { ChunkSounds } from "../chunks/sound-scores.ts";
import type { Removed } from "./hallucinations.ts";
import type { Judgement } from "./judge-coverage.ts";

export type Recognised = Judgement &
	Removed & {
		/** In time order, with times from the start of the audio. */
		words: (RecognisedWord & { language: string | null })[];
		languages: string[];
		/** Codes, the main one first. */
		engines: string[];
		wordTimesEstimated: boolean;
		/** Undefined when no chunk could be measured. */
		peaks: Peaks | undefined;
		/** In the order of the chunks. */
		sounds: ChunkSounds[];
	};

/** Extras of a transcript, with their metadata and warnings. */
export type Extras = { made: TranscriptExtras; metadata: ExtrasMetadata; warnings: string[] };

/** The transcript's words: rounded, with channels named and with the punctuation that was permitted. */
export function toWords(
	{ words }: Pick<Recognised, "words">,
	{ jobConfig }: Pick<JobRow, "jobConfig">,
): TranscriptWord[] {
	const { punctuation_overrides: punctuation } = jobConfig.transcription_config;
	return words.flatMap(({ word, start, end, confidence, language, speaker, channel }) => {
		const text = permitMarks(word, punctuation?.permitted_marks);
		if (text === "") return [];
		return [
			{
				word: text,
				start: milliseconds(start),
				end: milliseconds(end),
				confidence: confidence === null ? null : Math.round(confidence * 1000) / 1000,
				language,
				...(speaker !== undefined && { speaker }),
				...(channel !== undefined && { channel: channelName({ jobConfig }, channel) }),
			},
		];
	});
}

export function toTranscript(
	row: JobRow,
	words: readonly TranscriptWord[],
	recognised: Recognised,
	extras: Extras,
): Transcript {
	return {
		format: TRANSCRIPT_FORMAT,
		job: {
			id: row.jobId,
			created_at: row.submittedAt,
			duration: row.inputMetadata.duration_seconds,
			data_name: row.inputKey?.split("/").at(-1) ?? null,
			...(row.tracking && { tracking: row.tracking }),
		},
		metadata: {
			type: "transcription",
			// When recognition ended: whoever joins the chunks again writes the same.
			created_at: row.updatedAt,
			model_code: row.modelCode,
			...namedEngines(row, recognised),
			transcription_config: row.jobConfig.transcription_config,
			languages: recognised.languages,
			coverage: recognised.coverage,
			coverage_note: recognised.coverageNote,
			partial: recognised.partial,
			missing: recognised.gaps,
			removed: recognised.removed,
			removed_count: recognised.removed_count,
			word_times_estimated: recognised.wordTimesEstimated,
			warnings: [...recognised.warnings, ...extras.warnings],
			...extras.metadata,
		},
		results: toResults(words),
		...extras.made,
	};
}

/** Returns the engines that transcribed the audio: one, or several after a fallback. */
export const namedEngines = ({ modelCode }: JobRow, { engines }: Pick<Recognised, "engines">) => ({
	engine: engines[0] ?? modelCode,
	...(engines.length > 1 && { engines }),
});

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Looks for the end of a run of marks from its beginning only: from each mark on it would take the square of its length. */
const EDGE_MARKS = /^[¿¡]+|(?<![.,!?;:…。、！？，；：؟،।])[.,!?;:…。、！？，；：؟،।]+$/gu;

/** Removes marks at a word's edges that the caller does not want; `all` permits every mark. */
function permitMarks(word: string, permitted: readonly string[] | undefined): string {
	if (!permitted || permitted.includes("all")) return word;
	return word.replace(EDGE_MARKS, (marks) => [...marks].filter((mark) => permitted.includes(mark)).join(""));
}
