import { probe } from "@parley/audio-files/probe";
import { readingAudio } from "../audio/bucket-source.ts";
import { StepError } from "../step-error.ts";

/** Error codes that later bytes of the file cannot change. */
const FINAL_CODES = [
	"input_not_audio",
	"input_unsupported_container",
	"input_unsupported_codec",
	"input_no_audio_track",
];

/**
 * Probes a file by its first bytes.
 * @param totalBytes null where the length is not known
 * @throws StepError when the file cannot be audio. A file that needs more bytes passes.
 */
export async function inspectHead(head: Uint8Array, totalBytes: number | null): Promise<void> {
	const isWhole = totalBytes === head.byteLength;
	const source = {
		size: totalBytes ?? Number.MAX_SAFE_INTEGER,
		async read(start: number, end: number) {
			if (end > head.byteLength) throw new RangeError("These bytes have not arrived yet");
			return head.subarray(start, end);
		},
	};
	try {
		await readingAudio(() => probe(source));
	} catch (error) {
		if (error instanceof StepError && (isWhole || FINAL_CODES.includes(error.code))) throw error;
	}
}
