import { PEAKS_PER_SECOND } from "@parley/audio-files/peaks";
import type { Peaks } from "@parley/batch/stored-peaks";
import { fromBase64 } from "@parley/bytes/base64";
import type { ChunkResult } from "../chunks/chunk-result.ts";

type Measured = Pick<ChunkResult, "peaks" | "channelSounds"> & { startSeconds: number };

/**
 * Joins the peaks of the chunks to those of the recording, channel by channel. Where chunks overlap, the louder peak counts.
 * A chunk without peaks counts as silent. Drops peaks past the end of the recording.
 * @returns undefined if no chunk has peaks.
 */
export function joinPeaks(chunks: readonly Measured[], durationSeconds: number): Peaks | undefined {
	if (!chunks.some(({ peaks }) => peaks !== undefined)) return undefined;
	const count = Math.max(1, ...chunks.map(({ peaks }) => peaks?.length ?? 0));
	const length = Math.ceil(durationSeconds * PEAKS_PER_SECOND);
	const channels = Array.from({ length: count }, () => new Uint8Array(length));
	for (const { peaks = [], startSeconds } of chunks) {
		const from = Math.round(startSeconds * PEAKS_PER_SECOND);
		for (const [channel, text] of peaks.entries()) {
			const joined = channels[channel];
			if (joined) raise(joined, from, fromBase64(text));
		}
	}
	return { channels, isSeparate: chunks.some(({ channelSounds }) => channelSounds !== undefined) };
}

/** Raises peaks to those that start at an index. Those behind the end are dropped. */
function raise(joined: Uint8Array, from: number, peaks: Uint8Array): void {
	const count = Math.min(peaks.length, joined.length - from);
	for (let at = 0; at < count; at++) joined[from + at] = Math.max(joined[from + at] ?? 0, peaks[at] ?? 0);
}
