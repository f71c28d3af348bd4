import { type SlicedChunk, sliceChunk } from "@parley/chunking/slice-chunk";
import type { JobRow } from "@parley/db/batch/jobs";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { bucketSource, inputMissing, readingAudio } from "../audio/bucket-source.ts";
import type { JobPlan } from "../audio/job-plan.ts";
import type { Ctx } from "../context.ts";

/** One chunk of a job's audio as a file of its own, in a format that the engine takes where there is a choice. @throws StepError */
export async function cutChunk(
	{ env }: Ctx,
	row: JobRow,
	plan: JobPlan,
	position: number,
	{ capabilities }: SpeechEngine,
): Promise<SlicedChunk> {
	const chunk = plan.chunks[position];
	if (!chunk) throw new RangeError(`The plan has no chunk ${position}`);
	const { inputKey: key, inputEtag: etag } = row;
	if (key === null || etag === null) throw inputMissing();
	const source = bucketSource(env.MEDIA, { key, etag, size: plan.info.sizeBytes });
	return readingAudio(() => sliceChunk(source, plan.info, chunk, { accepts: capabilities.formats }));
}
