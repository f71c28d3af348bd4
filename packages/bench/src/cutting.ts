// What planning and cutting a recording costs by itself: the code that the transcriber runs, on a source that counts.

import type { AudioSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { planChunks } from "@parley/chunking/plan";
import { sliceChunk } from "@parley/chunking/slice-chunk";
import { longRecording } from "./long-audio.ts";

const ACCEPTS = ["wav", "mp3", "flac", "ogg", "m4a", "mp4", "webm", "mpeg", "aac", "amr"] as const;

export type Cutting = { chunks: number; cpuSeconds: number; bytesRead: number; peakBytes: number };

/** Plans and cuts a whole recording. `peakBytes` is what the process grew by on the way. */
export async function measureCutting({ size, read }: AudioSource): Promise<Cutting> {
	const before = process.memoryUsage.rss();
	const cutting = { chunks: 0, cpuSeconds: 0, bytesRead: 0, peakBytes: 0 };
	const source: AudioSource = {
		size,
		read: (start, end) => {
			cutting.bytesRead += end - start;
			cutting.peakBytes = Math.max(cutting.peakBytes, process.memoryUsage.rss() - before);
			return read(start, end);
		},
	};
	const cpu = process.cpuUsage();
	const info = await probe(source);
	const plan = await planChunks(source, info, { maxBytes: 12 * 1024 * 1024 });
	for (const chunk of plan.chunks) await sliceChunk(source, info, chunk, { accepts: [...ACCEPTS] });
	const { user, system } = process.cpuUsage(cpu);
	return { ...cutting, chunks: plan.chunks.length, cpuSeconds: (user + system) / 1e6 };
}

/** Prints processor seconds an hour of audio, bytes read by size, and the memory that the whole pass needs. */
export async function benchCutting(hours: number): Promise<void> {
	const { bytes, seconds, read } = longRecording(hours);
	const cutting = await measureCutting({ size: bytes, read: async (start, end) => read(start, end) });
	console.log(
		`cutting ${hours} h of mp3 into ${cutting.chunks} chunks: ` +
			`${(cutting.cpuSeconds / (seconds / 3600)).toFixed(2)} s of processor an hour of audio, ` +
			`bytes read ÷ size ${(cutting.bytesRead / bytes).toFixed(2)}, memory +${(cutting.peakBytes / 2 ** 20).toFixed(0)} MB`,
	);
}
