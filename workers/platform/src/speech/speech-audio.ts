import { probe } from "@parley/audio-files/probe";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { AudioChunk, AudioFormat } from "@parley/engines/speech/speech-engine";

const CONTENT_TYPES = {
	wav: "audio/wav",
	mp3: "audio/mpeg",
	flac: "audio/flac",
	aac: "audio/aac",
	ogg: "audio/ogg",
	m4a: "audio/mp4",
	mp4: "audio/mp4",
	webm: "audio/webm",
	amr: "audio/amr",
	mpeg: "audio/mpeg",
} as const satisfies Record<AudioFormat, string>;

/**
 * The bytes as a file that an engine takes, named and typed by what they are rather than by what the caller said.
 * @throws ApiError VALIDATION_FAILED for bytes that are no audio, naming what they are.
 */
export async function toAudioChunk(bytes: Uint8Array): Promise<AudioChunk & { format: AudioFormat }> {
	const read = async (start: number, end: number) => bytes.subarray(start, end);
	const { format, durationSeconds } = await probe({ size: bytes.byteLength, read }).catch((error) => {
		if (!(error instanceof UnsupportedAudio)) throw error;
		const fields = [{ path: "audio", message: error.message }];
		throw new ApiError("VALIDATION_FAILED", `audio: ${error.message}`, { fields });
	});
	return {
		bytes,
		format,
		filename: `audio.${format}`,
		contentType: CONTENT_TYPES[format],
		...(durationSeconds !== null && { durationSeconds }),
	};
}
