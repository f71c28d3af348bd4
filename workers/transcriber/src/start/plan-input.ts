import { probe } from "@parley/audio-files/probe";
import { planChunks } from "@parley/chunking/plan";
import type { JobConfig } from "@parley/contracts/batch/job-configs";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { bucketSource, readingAudio } from "../audio/bucket-source.ts";
import { assertChannels, splitsChannels } from "../audio/channels.ts";
import { DECODED_BYTES_PER_SECOND } from "../audio/decode-chunk.ts";
import type { JobPlan } from "../audio/job-plan.ts";
import type { Ctx } from "../context.ts";
import type { StoredObject } from "./store-stream.ts";

const MAX_CHUNK_BYTES = 12 * 1024 * 1024;
/** Share of an engine's limit that a chunk may fill. Its container adds a little. */
const FILL_RATIO = 0.9;
const TARGET_SECONDS = 150;
/** Factor by which a chunk may exceed the target length. */
const STRETCH = 1.3;

/** Probes the audio and plans its chunks, in at most one pass. @throws StepError when it cannot be transcribed. */
export async function planInput(
	{ env }: Ctx,
	input: StoredObject,
	engine: SpeechEngine,
	{ transcription_config }: JobConfig,
): Promise<JobPlan> {
	const source = bucketSource(env.MEDIA, input);
	const room = Math.floor(engine.capabilities.maxBytes * FILL_RATIO);
	return readingAudio(async () => {
		const info = await probe(source);
		if (splitsChannels(engine, transcription_config)) assertChannels(info.channels);
		const plan = await planChunks(source, info, {
			maxBytes: Math.min(MAX_CHUNK_BYTES, room),
			// A decoded chunk is larger.
			targetSeconds: Math.min(TARGET_SECONDS, room / DECODED_BYTES_PER_SECOND / STRETCH),
			// Speakers are matched across chunks by the audio that both contain.
			alwaysOverlap: transcription_config.diarization === "speaker",
		});
		return { ...plan, info };
	});
}
