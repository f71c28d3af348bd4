import { probe } from "@parley/audio-files/probe";
import { planChunks } from "@parley/chunking/plan";
import type { JobConfig } from "@parley/contracts/job-configs";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import { bucketSource, readingAudio } from "./bucket-source.ts";
import { assertChannels, splitsChannels } from "./channels.ts";
import { DECODED_BYTES_PER_SECOND } from "./decode-chunk.ts";
import type { JobPlan } from "./job-plan.ts";
import type { StoredObject } from "./store-stream.ts";

const MAX_CHUNK_BYTES = 12 * 1024 * 1024;
/** Of what an engine takes: the container around a chunk adds a little. */
const ROOM = 0.9;
const TARGET_SECONDS = 150;
/** Chunks may become this much longer than is aimed at. */
const STRETCH = 1.3;

/** What the audio is and where it is cut, from one pass over it at most. @throws Setback when it is none that can be recognised. */
export async function planInput(
	{ env }: Ctx,
	input: StoredObject,
	engine: SpeechEngine,
	{ transcription_config }: JobConfig,
): Promise<JobPlan> {
	const source = bucketSource(env.MEDIA, input);
	const room = Math.floor(engine.capabilities.maxBytes * ROOM);
	return readingAudio(async () => {
		const info = await probe(source);
		if (splitsChannels(engine, transcription_config)) assertChannels(info.channels);
		const plan = await planChunks(source, info, {
			maxBytes: Math.min(MAX_CHUNK_BYTES, room),
			// Any chunk may have to be decoded, and is larger then.
			targetSeconds: Math.min(TARGET_SECONDS, room / DECODED_BYTES_PER_SECOND / STRETCH),
			// Speakers are matched across chunks by what both have heard.
			alwaysOverlap: transcription_config.diarization === "speaker",
		});
		return { ...plan, info };
	});
}
