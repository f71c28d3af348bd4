import type { RecognisedWord, Recognition } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import type { SoundScores } from "../extras/sound-scores.ts";
import type { StoredActivity } from "./chunk-activity.ts";

/** What the engine heard in one chunk, as it is kept until the job is finished. */
export type ChunkResult = Omit<Recognition, "words"> & {
	/** With the language where channels may differ in it. */
	words: (RecognisedWord & { language?: string })[];
	/** The engine that heard it. */
	engine?: string;
	/** Where channels were recognised apart, a fingerprint of each one's sound; empty when it is silent. */
	channelSounds?: string[];
	/** Where the chunk has speech and silence, as far as that was told. */
	activity?: StoredActivity;
	/** Where events were asked for and the chunk is not silent. */
	scores?: SoundScores;
};

/** What there is to hear in silence: no engine is asked. */
export const NOTHING_HEARD: Recognition = {
	language: null,
	durationSeconds: null,
	text: "",
	segments: [],
	words: [],
	wordTimesEstimated: false,
	warnings: [],
};

export async function writeResult({ env }: Ctx, key: string, result: ChunkResult): Promise<void> {
	await env.MEDIA.put(key, JSON.stringify(result), { httpMetadata: { contentType: "application/json" } });
}

export async function findResult({ env }: Ctx, key: string): Promise<ChunkResult | undefined> {
	const object = await env.MEDIA.get(key);
	return object ? object.json<ChunkResult>() : undefined;
}
