import type { RemovedWord } from "@parley/contracts/batch/transcript";
import { splitHallucinations } from "@parley/transcripts/hallucinations";
import type { ChunkResult } from "../chunks/chunk-result.ts";
import { silencesOf } from "../chunks/stored-activity.ts";

/** So many are listed; all are counted. */
const MAX_LISTED = 100;

/**
 * Separates the words that a chunk's engine hallucinated in silence from the others. Where word times are estimates, a word
 * may have been spread over a pause, so all are kept.
 */
export function gateChunk({
	words,
	wordTimesEstimated,
	activity,
}: ChunkResult): ReturnType<typeof splitHallucinations<ChunkResult["words"][number]>> {
	return splitHallucinations(words, wordTimesEstimated ? [] : silencesOf(activity));
}

export type Removed = { removed: RemovedWord[]; removed_count: number };

/** Returns the hallucinations removed from all chunks. Chunks that overlap report a removal once. */
export function listRemoved(
	chunks: readonly { startSeconds: number; hallucinated: ChunkResult["words"] }[],
): Removed {
	const removed: RemovedWord[] = [];
	for (const { startSeconds, hallucinated } of chunks) {
		const already = removed.at(-1)?.end_time ?? 0;
		for (const { word, start, end } of hallucinated) {
			const [start_time, end_time] = [milliseconds(startSeconds + start), milliseconds(startSeconds + end)];
			if (start_time >= already) removed.push({ start_time, end_time, content: word, reason: "silence" });
		}
	}
	return { removed: removed.slice(0, MAX_LISTED), removed_count: removed.length };
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
