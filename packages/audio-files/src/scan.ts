import type { AudioInfo } from "./audio-info.ts";
import type { AudioSource } from "./audio-source.ts";
import { scanFlac } from "./formats/flac/flac.ts";
import { flacSeekIndex } from "./formats/flac/seek-index.ts";
import { scanFrames } from "./formats/frames/frames.ts";
import { framesSeekIndex } from "./formats/frames/seek-index.ts";
import { scanFragments } from "./formats/mp4/fragments.ts";
import { scanMp4 } from "./formats/mp4/samples.ts";
import { scanMpeg } from "./formats/mpeg/mpeg-stream.ts";
import { scanOgg } from "./formats/ogg/ogg.ts";
import { oggSeekIndex } from "./formats/ogg/seek-index.ts";
import { scanWav } from "./formats/wav/wav.ts";
import { webmSeekIndex } from "./formats/webm/seek-index.ts";
import { scanWebm } from "./formats/webm/webm.ts";
import type { PacketVisitor, Scan } from "./packets.ts";
import type { SeekIndex } from "./seek-index.ts";

/**
 * Visits the packets of a file in order. Formats with an index (WAV, MP4) read only the bytes whose levels the visitor wants. The
 * others read the file once from start to end.
 */
export async function scanPackets(
	source: AudioSource,
	info: AudioInfo,
	visitor: PacketVisitor,
): Promise<Scan> {
	switch (info.layout.kind) {
		case "wav":
			return scanWav(source, info, visitor);
		case "frames":
			return scanFrames(source, info, visitor);
		case "flac":
			return scanFlac(source, info, visitor);
		case "ogg":
			return scanOgg(source, info, visitor);
		case "mp4":
			return scanMp4(source, info, visitor);
		case "mp4-fragments":
			return scanFragments(source, info, visitor);
		case "webm":
			return scanWebm(source, info, visitor);
		case "mpeg":
			return scanMpeg(source, info, visitor);
	}
}

/** Opens the seek index of a file. Returns null if its format has none, or if the ends of the file contradict each other. */
export async function openSeekIndex(source: AudioSource, info: AudioInfo): Promise<SeekIndex | null> {
	switch (info.layout.kind) {
		case "frames":
			return framesSeekIndex(source, info);
		case "flac":
			return flacSeekIndex(source, info);
		case "ogg":
			return oggSeekIndex(source, info);
		case "webm":
			return webmSeekIndex(source, info);
		default:
			return null;
	}
}
