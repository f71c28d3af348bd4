import { planChunks } from "@parley/audio/plan";
import { probe } from "@parley/audio/probe";
import type { JobConfig } from "@parley/contracts/job-configs";
import type { SpeechEngine } from "@parley/engines/speech-engine";
import type { Ctx } from "../context.ts";
import { bucketSource, readingAudio } from "./bucket-source.ts";
import type { JobPlan } from "./job-plan.ts";
import type { StoredObject } from "./store-stream.ts";

const MAX_CHUNK_BYTES = 12 * 1024 * 1024;
/** Of what an engine takes: the container around a chunk adds a little. */
const ROOM = 0.9;

/** What the audio is and where it is cut, from one pass over it. @throws Setback when it is none that can be read. */
export async function planInput(
	{ env }: Ctx,
	input: StoredObject,
	{ capabilities }: SpeechEngine,
	{ transcription_config }: JobConfig,
): Promise<JobPlan> {
	const source = bucketSource(env.MEDIA, input);
	return readingAudio(async () => {
		const info = await probe(source);
		const plan = await planChunks(source, info, {
			maxBytes: Math.min(MAX_CHUNK_BYTES, Math.floor(capabilities.maxBytes * ROOM)),
			// Speakers are matched across chunks by what both have heard.
			alwaysOverlap: transcription_config.diarization === "speaker",
		});
		return { ...plan, info };
	});
}
