import type { AudioSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { type ChunkPlan, type PlanOptions, planChunks } from "./plan.ts";
import { type SlicedChunk, sliceChunk } from "./slice-chunk.ts";

/** Options for short chunks of short files. */
export const SHORT_CHUNKS: PlanOptions = { targetSeconds: 4, overlapSeconds: 0.6 };

/** Probes, plans and slices a file, as the workers do. */
export async function chunkFile(
	source: AudioSource,
	options: PlanOptions,
	accepts?: ("aac" | "m4a" | "wav")[],
) {
	const info = await probe(source);
	const plan = await planChunks(source, info, options);
	const slices: SlicedChunk[] = [];
	// A plan is stored as JSON between the steps.
	const stored = JSON.parse(JSON.stringify({ info, plan })) as { info: typeof info; plan: ChunkPlan };
	for (const chunk of stored.plan.chunks) {
		slices.push(await sliceChunk(source, stored.info, chunk, accepts ? { accepts } : {}));
	}
	return { info, plan, slices };
}
