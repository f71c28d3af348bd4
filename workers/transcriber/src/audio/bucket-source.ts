import type { AudioSource } from "@parley/audio-files/audio-source";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { StepError, toStepError } from "../step-error.ts";

/** Range reads of one version of an object. @throws StepError from `read`. */
export function bucketSource(
	bucket: R2Bucket,
	input: { key: string; etag: string; size: number },
): AudioSource {
	return {
		size: input.size,
		async read(start, end) {
			if (end <= start) return new Uint8Array();
			const range = { offset: start, length: end - start };
			const object = await bucket
				.get(input.key, { range, onlyIf: { etagMatches: input.etag } })
				.catch((error) => {
					throw toStepError(error);
				});
			if (!object) throw inputMissing();
			if (!("body" in object)) throw inputChanged();
			return new Uint8Array(await object.arrayBuffer());
		},
	};
}

export const inputMissing = (): StepError =>
	new StepError("input_missing", "The input is not in storage any more.");

/** A presigned URL outlives its submission: whoever holds it may put other bytes there. */
export const inputChanged = (): StepError =>
	new StepError("input_changed", "The input was replaced after the job was submitted.");

/**
 * Reads audio that somebody uploaded. Whatever a parser trips over is the file's fault and final; only what the storage did
 * may be tried again.
 */
export async function readingAudio<T>(read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof StepError) throw error;
		if (error instanceof UnsupportedAudio)
			throw new StepError(`input_${error.code}`, error.message, { cause: error.cause });
		throw new StepError("input_broken", "The file is damaged or incomplete.", { cause: error });
	}
}
