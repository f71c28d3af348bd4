import type { RemovedWord } from "@parley/contracts/transcript";
import { withoutInvented } from "@parley/transcripts/hallucinations";
import { silencesOf } from "../chunks/chunk-activity.ts";
import type { ChunkResult } from "../chunks/chunk-result.ts";

/** So many are listed; all are counted. */
const MAX_LISTED = 100;

/**
 * A chunk's words without those that its engine invented in silence, and these. Where word times are estimates a word may
 * have been spread over a pause, so all stay.
 */
export function gateChunk({
	words,
	wordTimesEstimated,
	activity,
}: ChunkResult): ReturnType<typeof withoutInvented<ChunkResult["words"][number]>> {
	return withoutInvented(words, wordTimesEstimated ? [] : silencesOf(activity));
}

export type Removed = { removed: RemovedWord[]; removed_count: number };

/** What was taken out of all chunks, each with the time at which its chunk starts. Two that share a stretch name it once. */
export function listRemoved(
	chunks: readonly { startSeconds: number; invented: ChunkResult["words"] }[],
): Removed {
	const removed: RemovedWord[] = [];
	for (const { startSeconds, invented } of chunks) {
		const already = removed.at(-1)?.end_time ?? 0;
		for (const { word, start, end } of invented) {
			const [start_time, end_time] = [milliseconds(startSeconds + start), milliseconds(startSeconds + end)];
			if (start_time >= already) removed.push({ start_time, end_time, content: word, reason: "silence" });
		}
	}
	return { removed: removed.slice(0, MAX_LISTED), removed_count: removed.length };
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
