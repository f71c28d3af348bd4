import type { RecognisedWord, Recognition } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import type { SoundScores } from "./sound-scores.ts";
import type { StoredActivity } from "./stored-activity.ts";

/** Result of one chunk as stored until the job is finished. */
export type ChunkResult = Omit<Recognition, "words"> & {
	/** Words, with a language where channels may have different ones. */
	words: (RecognisedWord & { language?: string })[];
	/** Code of the engine that recognised it. */
	engine?: string;
	/** Fingerprint of each channel's audio where channels were recognised separately. Empty for a silent channel. */
	channelSounds?: string[];
	/** Peaks of all channels mixed, or of each channel, as base64. Empty for a silent chunk; absent when they are unknown. */
	peaks?: string[];
	/** Voiced and silent spans, where they are known. */
	activity?: StoredActivity;
	/** Scores, where audio events were requested and the chunk is not silent. */
	scores?: SoundScores;
};

/** Result of a silent chunk, for which no engine is called. */
export const EMPTY_RECOGNITION: Recognition = {
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
