import type { Recognition } from "@parley/engines/speech-engine";
import type { Ctx } from "../context.ts";

/** What the engine heard in one chunk, as it is kept until the job is finished. */
export type ChunkResult = Recognition;

export async function writeResult({ env }: Ctx, key: string, result: ChunkResult): Promise<void> {
	await env.MEDIA.put(key, JSON.stringify(result), { httpMetadata: { contentType: "application/json" } });
}

export async function findResult({ env }: Ctx, key: string): Promise<ChunkResult | undefined> {
	const object = await env.MEDIA.get(key);
	return object ? object.json<ChunkResult>() : undefined;
}
