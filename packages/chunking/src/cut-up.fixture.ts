import type { AudioSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { type ChunkPlan, type PlanOptions, planChunks } from "./plan.ts";
import { type SlicedChunk, sliceChunk } from "./slice-chunk.ts";

/** Short chunks for short files. */
export const SMALL: PlanOptions = { targetSeconds: 4, overlapSeconds: 0.6 };

/** Probes, plans and slices a file as the workers do. */
export async function cutUp(source: AudioSource, options: PlanOptions, accepts?: ("aac" | "m4a" | "wav")[]) {
	const info = await probe(source);
	const plan = await planChunks(source, info, options);
	const slices: SlicedChunk[] = [];
	// Through JSON, as a plan travels between workers.
	const stored = JSON.parse(JSON.stringify({ info, plan })) as { info: typeof info; plan: ChunkPlan };
	for (const chunk of stored.plan.chunks) {
		slices.push(await sliceChunk(source, stored.info, chunk, accepts ? { accepts } : {}));
	}
	return { info, plan, slices };
}
