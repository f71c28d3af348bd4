import type { JobRow } from "@parley/db/batch/jobs";
import { type Cue, cuesFromWords } from "@parley/transcripts/subtitles";
import { captionWords, type TranscriptWord } from "./transcript-words.ts";

type Limits = { max_line_length?: number | undefined; max_lines?: number | undefined };

/**
 * Returns the subtitles of a job's transcript.
 * @param limits used before those that the job was submitted with
 */
export function toCues(
	words: readonly TranscriptWord[],
	{ jobConfig, inputMetadata }: Pick<JobRow, "jobConfig" | "inputMetadata">,
	limits: Limits = {},
): Cue[] {
	const submitted = jobConfig.output_config?.srt_overrides;
	const maxLineLength = limits.max_line_length ?? submitted?.max_line_length;
	const maxLines = limits.max_lines ?? submitted?.max_lines;
	const { duration_seconds } = inputMetadata;
	return cuesFromWords(captionWords(words), {
		...(duration_seconds !== null && { audioSeconds: duration_seconds }),
		...(maxLineLength !== undefined && { maxLineLength }),
		...(maxLines !== undefined && { maxLines }),
	});
}
