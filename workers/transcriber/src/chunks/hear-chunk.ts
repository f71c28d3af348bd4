import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import type { JobRow } from "@parley/db/jobs";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import { isPlain, scoreSounds, wantsSounds } from "../extras/sound-scores.ts";
import { splitsChannels } from "../inputs/channels.ts";
import { DECODED_BYTES_PER_SECOND, decodeChunk, takesFile } from "../inputs/decode-chunk.ts";
import type { JobPlan } from "../inputs/job-plan.ts";
import type { ChunkResult } from "./chunk-result.ts";
import { hearChannels } from "./hear-channels.ts";
import { toHints } from "./hints.ts";

/** What is heard, and by whom. */
export type Hearing = {
	job: JobRow;
	plan: JobPlan;
	position: number;
	engine: SpeechEngine;
	/** Whether an earlier try may have left something. */
	isRetry: boolean;
	signal: AbortSignal;
};

/** What the engine hears in a chunk: as it is, decoded where the engine does not take it, or channel by channel. */
export async function hearChunk(ctx: Ctx, hearing: Hearing, chunk: SlicedChunk): Promise<ChunkResult> {
	const { job, plan, engine, signal } = hearing;
	if (splitsChannels(engine, job.jobConfig.transcription_config)) return hearChannels(ctx, hearing, chunk);
	const isTaken = takesFile(engine, { format: chunk.format, codec: plan.info.codec });
	const audio = isTaken ? chunk : await decodeChunk(ctx, plan, chunk);
	const heard = await engine.transcribe(audio, { ...toHints(job.jobConfig), signal });
	return wantsSounds(job) ? { ...heard, scores: await scoreSounds(ctx, hearing, audio) } : heard;
}

/** Bytes of sound that are held while a chunk is heard. */
export function memoryFor({ job, plan, position, engine }: Hearing): number {
	const { bytes = 0, startSeconds = 0, endSeconds = 0 } = plan.chunks[position] ?? {};
	const isDecoded =
		splitsChannels(engine, job.jobConfig.transcription_config) ||
		!takesFile(engine, plan.info) ||
		(wantsSounds(job) && !isPlain(plan.info));
	return bytes + (isDecoded ? DECODED_BYTES_PER_SECOND * (endSeconds - startSeconds) : 0);
}
