import { downloadMetadata } from "@parley/batch/downloads";
import { outputKey } from "@parley/batch/object-keys";
import { toCues } from "@parley/batch/subtitles";
import { captionWords, type TranscriptWord } from "@parley/batch/transcript-words";
import { TRANSCRIPT_TYPES, type TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { Transcript } from "@parley/contracts/batch/transcript";
import type { JobRow } from "@parley/db/batch/jobs";
import { toSrt, toText, toVtt } from "@parley/transcripts/subtitles";
import type { Ctx } from "../context.ts";

/** Writes the transcript in its four formats; again is the same as once. */
export async function writeOutputs(
	{ env }: Ctx,
	row: JobRow,
	transcript: Transcript,
	words: readonly TranscriptWord[],
): Promise<void> {
	const captions = captionWords(words);
	const cues = toCues(words, row);
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
			const httpMetadata = downloadMetadata(TRANSCRIPT_TYPES[format], key, row.inputKey);
			return env.MEDIA.put(key, contents[format], { httpMetadata });
		}),
	);
}
