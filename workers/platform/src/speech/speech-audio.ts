import { type Container, id3Length, SNIFF_BYTES, sniff } from "@parley/audio/sniff";
import { UnsupportedAudio } from "@parley/audio/unsupported-audio";
import { ApiError } from "@parley/contracts/api-error";
import type { AudioChunk, AudioFormat } from "@parley/engines/speech-engine";

const FORMATS = {
	riff: "wav",
	flac: "flac",
	ogg: "ogg",
	mp4: "m4a",
	matroska: "webm",
	amr: "amr",
	"mpeg-ts": "mpeg",
	"mpeg-ps": "mpeg",
} as const satisfies Record<Exclude<Container, "frames">, AudioFormat>;

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
 * @throws ApiError INVALID_REQUEST for bytes that are no audio, naming what they are.
 */
export function toAudioChunk(bytes: Uint8Array): AudioChunk & { format: AudioFormat } {
	const format = formatOf(bytes);
	return { bytes, format, filename: `audio.${format}`, contentType: CONTENT_TYPES[format] };
}

function formatOf(bytes: Uint8Array): AudioFormat {
	try {
		const start = id3Length(bytes.subarray(0, 10));
		const head = bytes.subarray(start, start + SNIFF_BYTES);
		const container = sniff(head);
		return container === "frames" ? frameFormat(head) : FORMATS[container];
	} catch (error) {
		if (!(error instanceof UnsupportedAudio)) throw error;
		throw new ApiError("INVALID_REQUEST", error.message, {
			fields: [{ path: "audio", message: error.message }],
		});
	}
}

/** ADTS leaves the layer bits of the frame header empty, MPEG audio does not (ISO 13818-7, ISO 11172-3). */
const frameFormat = (head: Uint8Array): AudioFormat => (((head[1] ?? 0) & 0x06) === 0 ? "aac" : "mp3");
