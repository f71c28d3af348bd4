import type { AudioFormat } from "./audio-info.ts";

/** Media types of the formats, as files are named to engines and players. */
export const MEDIA_TYPES: Record<AudioFormat, string> = {
	wav: "audio/wav",
	mp3: "audio/mpeg",
	flac: "audio/flac",
	aac: "audio/aac",
	ogg: "audio/ogg",
	m4a: "audio/mp4",
	mp4: "video/mp4",
	webm: "audio/webm",
	amr: "audio/amr",
	mpeg: "audio/mpeg",
};
