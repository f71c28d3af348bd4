// What planning and cutting a recording costs by itself: the code that the transcriber runs, on a source that counts.
import { planChunks } from "@parley/audio/plan";
import { probe } from "@parley/audio/probe";
import { sliceChunk } from "@parley/audio/slice";
import { longRecording } from "./long-audio.ts";

const ACCEPTS = ["wav", "mp3", "flac", "ogg", "m4a", "mp4", "webm", "mpeg"] as const;

/** Prints processor seconds an hour of audio, bytes read by size, and the memory that the whole pass needs. */
export async function benchCutting(hours: number): Promise<void> {
	const recording = longRecording(hours);
	const before = process.memoryUsage.rss();
	let [bytesRead, peak] = [0, 0];
	const source = {
		size: recording.bytes,
		read: async (start: number, end: number) => {
			bytesRead += end - start;
			peak = Math.max(peak, process.memoryUsage.rss() - before);
			return recording.read(start, end) as Uint8Array<ArrayBuffer>;
		},
	};
	const cpu = process.cpuUsage();
	const info = await probe(source);
	const plan = await planChunks(source, info, { maxBytes: 12 * 1024 * 1024 });
	for (const chunk of plan.chunks) await sliceChunk(source, info, chunk, { accepts: [...ACCEPTS] });
	const { user, system } = process.cpuUsage(cpu);
	const perHour = (user + system) / 1e6 / (recording.seconds / 3600);
	console.log(
		`cutting ${hours} h of mp3 into ${plan.chunks.length} chunks: ${perHour.toFixed(2)} s of processor an hour of audio, ` +
			`bytes read ÷ size ${(bytesRead / recording.bytes).toFixed(2)}, memory +${(peak / 2 ** 20).toFixed(0)} MB`,
	);
}
