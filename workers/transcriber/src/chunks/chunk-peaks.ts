import { peaksOfWav } from "@parley/audio-files/wav-peaks";
import { toBase64 } from "@parley/bytes/base64";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import { logError } from "@parley/context/log";
import { type DecodedChunk, decodePeaks } from "../audio/decode-chunk.ts";
import type { JobPlan } from "../audio/job-plan.ts";
import type { Ctx } from "../context.ts";
import { StepError } from "../step-error.ts";

/**
 * Measures the peaks of a chunk that is at hand, so the audio is not read again. Returns undefined when the chunk cannot be
 * decoded: that costs its part of the waveform, not its words.
 */
export async function measurePeaks(
	ctx: Ctx,
	plan: JobPlan,
	chunk: SlicedChunk | DecodedChunk,
): Promise<string | undefined> {
	if ("peaks" in chunk) return toBase64(chunk.peaks);
	try {
		const peaks = chunk.format === "wav" ? await peaksOfWav(chunk.bytes) : undefined;
		return toBase64(peaks ?? (await decodePeaks(ctx, plan, chunk)));
	} catch (error) {
		if (!(error instanceof StepError)) logError("peaks could not be measured", error);
		return undefined;
	}
}
