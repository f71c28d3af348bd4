import { type SlicedChunk, sliceChunk } from "@parley/audio/slice";
import type { JobRow } from "@parley/db/jobs";
import type { SpeechEngine } from "@parley/engines/speech-engine";
import type { Ctx } from "../context.ts";
import { Setback } from "../setback.ts";
import { bucketSource, inputMissing, readingAudio } from "./bucket-source.ts";
import type { JobPlan } from "./job-plan.ts";

/** One chunk of a job's audio as a file that the engine takes. @throws Setback */
export async function cutChunk(
	{ env }: Ctx,
	row: JobRow,
	plan: JobPlan,
	position: number,
	{ code, capabilities }: SpeechEngine,
): Promise<SlicedChunk> {
	const chunk = plan.chunks[position];
	if (!chunk) throw new RangeError(`The plan has no chunk ${position}`);
	const { inputKey: key, inputEtag: etag } = row;
	if (key === null || etag === null) throw inputMissing();
	const source = bucketSource(env.MEDIA, { key, etag, size: plan.info.sizeBytes });
	const accepts = capabilities.formats;
	const file = await readingAudio(() => sliceChunk(source, plan.info, chunk, { accepts }));
	if (!accepts.includes(file.format))
		throw new Setback("input_unsupported_format", `${code} does not take ${file.format} files.`);
	return file;
}
