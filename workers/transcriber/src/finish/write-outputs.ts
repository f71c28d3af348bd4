import { TRANSCRIPT_TYPES, type TranscriptFormat } from "@parley/contracts/jobs";
import type { Transcript } from "@parley/contracts/transcript";
import { captionWords, type TranscriptWord } from "@parley/contracts/transcript-words";
import type { JobRow } from "@parley/db/jobs";
import { downloadMetadata, downloadName, outputKey } from "@parley/db/media";
import { cuesFromWords, type SubtitleOptions, toSrt, toText, toVtt } from "@parley/transcripts/subtitles";
import type { Ctx } from "../context.ts";

/** Writes the transcript in its four formats; again is the same as once. */
export async function writeOutputs(
	{ env }: Ctx,
	row: JobRow,
	transcript: Transcript,
	words: readonly TranscriptWord[],
): Promise<void> {
	const captions = captionWords(words);
	const cues = cuesFromWords(captions, subtitleOptions(row));
	const contents: Record<TranscriptFormat, string> = {
		json: JSON.stringify(transcript),
		txt: toText(captions),
		srt: toSrt(cues),
		vtt: toVtt(cues),
	};
	const formats = Object.keys(contents) as TranscriptFormat[];
	await Promise.all(
		formats.map((format) => {
			const key = outputKey(row, format);
			const httpMetadata = downloadMetadata(TRANSCRIPT_TYPES[format], downloadName(key, row.inputKey));
			return env.MEDIA.put(key, contents[format], { httpMetadata });
		}),
	);
}

function subtitleOptions({ jobConfig, inputMetadata }: JobRow): SubtitleOptions {
	const { max_line_length, max_lines } = jobConfig.output_config?.srt_overrides ?? {};
	const { duration_seconds } = inputMetadata;
	return {
		...(duration_seconds !== null && { audioSeconds: duration_seconds }),
		...(max_line_length !== undefined && { maxLineLength: max_line_length }),
		...(max_lines !== undefined && { maxLines: max_lines }),
	};
}
