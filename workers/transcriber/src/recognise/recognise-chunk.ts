import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import { splitsChannels } from "../audio/channels.ts";
import { DECODED_BYTES_PER_SECOND, decodeChunk, takesFile } from "../audio/decode-chunk.ts";
import { measurePeaks } from "../chunks/chunk-peaks.ts";
import type { ChunkResult } from "../chunks/chunk-result.ts";
import { isPlain, scoreSounds, wantsSounds } from "../chunks/sound-scores.ts";
import type { Ctx } from "../context.ts";
import type { ChunkTask } from "./chunk-task.ts";
import { toHints } from "./hints.ts";
import { recogniseChannels } from "./recognise-channels.ts";

/** Has an engine recognise a chunk: as it is, decoded if the engine does not accept its format, or channel by channel. */
export async function recogniseChunk(ctx: Ctx, task: ChunkTask, chunk: SlicedChunk): Promise<ChunkResult> {
	const { job, plan, engine, signal } = task;
	if (splitsChannels(engine, job.jobConfig.transcription_config)) return recogniseChannels(ctx, task, chunk);
	const isTaken = takesFile(engine, { format: chunk.format, codec: plan.info.codec });
	const audio = isTaken ? chunk : await decodeChunk(ctx, plan, chunk);
	const [recognised, peaks] = await Promise.all([
		engine.transcribe(audio, { ...toHints(job.jobConfig), signal }),
		measurePeaks(ctx, plan, audio),
	]);
	return {
		...recognised,
		...(peaks !== undefined && { peaks: [peaks] }),
		...(wantsSounds(job) && { scores: await scoreSounds(ctx, task, audio) }),
	};
}

/** Returns the bytes of audio in memory while a chunk is recognised. */
export function memoryFor({ job, plan, position, engine }: ChunkTask): number {
	const { bytes = 0, startSeconds = 0, endSeconds = 0 } = plan.chunks[position] ?? {};
	const isDecoded =
		splitsChannels(engine, job.jobConfig.transcription_config) ||
		!takesFile(engine, plan.info) ||
		(wantsSounds(job) && !isPlain(plan.info));
	return bytes + (isDecoded ? DECODED_BYTES_PER_SECOND * (endSeconds - startSeconds) : 0);
}
