import { fromBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioFormat, AudioInfo } from "./audio-info.ts";
import type { AudioSource } from "./audio-source.ts";
import { latin1 } from "./bytes.ts";
import { adtsToAacConfig, readAdtsPackets } from "./codecs/aac.ts";
import { AMR_MAGIC } from "./codecs/amr.ts";
import { headersForSlice } from "./codecs/headers.ts";
import { flacHeader, writeFlac } from "./formats/flac/flac.ts";
import { readFragments } from "./formats/mp4/fragments.ts";
import { readExtents } from "./formats/mp4/samples.ts";
import { readMpeg } from "./formats/mpeg/mpeg-stream.ts";
import { readOgg, writeOgg, writeOggStream } from "./formats/ogg/ogg.ts";
import { writeWav } from "./formats/wav/wav.ts";
import { readWebm } from "./formats/webm/webm.ts";
import { muxMp4, muxWebm } from "./mux.ts";
import type { AudioData, AudioPacket, Extents, Position } from "./packets.ts";
import { broken } from "./unsupported-audio.ts";

/** Part of a file, on packet boundaries. */
export type FileRange = {
	from: Position;
	to: Position;
	startSeconds: number;
	endSeconds: number;
	/** Set if the scan of the file returned extents. */
	extents?: Extents;
};

/** An audio file in memory. */
export type AudioFile = { bytes: Uint8Array<ArrayBuffer>; format: AudioFormat };

/** Maximum bytes to read for one range, including what lies between its packets, such as video. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/**
 * Reads the audio of a range, without its container.
 * @throws UnsupportedAudio if the bytes do not match the plan.
 */
export async function readAudio(source: AudioSource, info: AudioInfo, range: FileRange): Promise<AudioData> {
	const { from, to } = range;
	const isReadWhole = ["wav", "flac", "frames", "ogg"].includes(info.layout.kind);
	if (isReadWhole && to[0] - from[0] > MAX_READ_BYTES) throw broken("its audio data is spread too far");
	switch (info.layout.kind) {
		case "wav":
		case "flac":
		case "frames":
			return { bytes: await source.read(from[0], to[0]) };
		case "mpeg":
			return { bytes: await readMpeg(source, info, from, to) };
		case "ogg":
			return { packets: await readOgg(source, info, from, to) };
		case "mp4":
		case "mp4-fragments":
			return { packets: await mp4Packets(source, info, range) };
		case "webm":
			return { packets: await readWebm(source, info, from, to) };
	}
}

/**
 * Writes audio that `readAudio` returned as a file of its own. The format is that of the source file, except that audio leaves video
 * and transport streams. `wrapAac` puts AAC into M4A rather than ADTS.
 */
export async function toAudioFile(
	info: AudioInfo,
	range: FileRange,
	audio: AudioData,
	wrapAac: boolean,
): Promise<AudioFile> {
	const { layout } = info;
	if ("packets" in audio) {
		if (layout.kind === "ogg") return { bytes: writeOgg(info, range.from, audio.packets), format: "ogg" };
		return fromPackets(
			info,
			"config" in layout ? fromBase64(layout.config) : new Uint8Array(),
			audio.packets,
		);
	}
	const { bytes } = audio;
	if (layout.kind === "wav") return { bytes: writeWav(info, bytes), format: "wav" };
	if (layout.kind === "flac") {
		return { bytes: writeFlac(info, bytes, range.endSeconds - range.startSeconds), format: "flac" };
	}
	return fromFrames(info, concat([bytes]), wrapAac);
}

/** Writes frames that have their own headers. AMR needs its magic number, and AAC may need a container. */
async function fromFrames(
	info: AudioInfo,
	bytes: Uint8Array<ArrayBuffer>,
	wrapAac: boolean,
): Promise<AudioFile> {
	if (info.codec === "amr_nb" || info.codec === "amr_wb") {
		return { bytes: concat([latin1(AMR_MAGIC[info.codec]), bytes]), format: "amr" };
	}
	if (info.codec !== "aac") return { bytes, format: info.codec === "mp3" ? "mp3" : "mpeg" };
	if (!wrapAac) return { bytes, format: "aac" };
	const coding = {
		codec: "aac",
		channels: info.channels,
		sampleRate: info.sampleRate,
		config: adtsToAacConfig(bytes, 0),
	} as const;
	return { bytes: await muxMp4(coding, readAdtsPackets(bytes)), format: "m4a" };
}

async function mp4Packets(source: AudioSource, info: AudioInfo, range: FileRange): Promise<AudioPacket[]> {
	const packets: AudioPacket[] = [];
	if (info.layout.kind === "mp4-fragments") {
		for await (const packet of readFragments(source, info, range.from, range.to)) packets.push(packet);
		return packets;
	}
	if (!range.extents) throw broken("its plan has no extents");
	let seconds = 0;
	for await (const { data, duration } of readExtents(source, range.extents)) {
		packets.push({ data, seconds, duration });
		seconds += duration;
	}
	return packets;
}

/** Writes packets from MP4 or WebM into the same container, or as a bare stream if the codec has one. */
async function fromPackets(
	info: AudioInfo,
	config: Uint8Array,
	packets: readonly AudioPacket[],
): Promise<AudioFile> {
	const data = packets.map((packet) => packet.data);
	const seconds = packets.reduce((sum, packet) => sum + packet.duration, 0);
	const { codec, channels, sampleRate } = info;
	switch (codec) {
		case "mp3":
			return { bytes: concat(data), format: "mp3" };
		case "amr_nb":
		case "amr_wb":
			return { bytes: concat([latin1(AMR_MAGIC[codec]), ...data]), format: "amr" };
		case "flac": {
			const streamInfo = config.length > 34 ? config.subarray(8, 42) : config;
			return {
				bytes: concat([flacHeader(streamInfo, Math.round(seconds * sampleRate)), ...data]),
				format: "flac",
			};
		}
		case "opus":
			if (info.container === "mp4") return { bytes: writeOpus(config, packets), format: "ogg" };
			return {
				bytes: muxWebm({ codec, channels, sampleRate, config }, packets),
				format: "webm",
			};
		case "vorbis":
			return {
				bytes: muxWebm({ codec, channels, sampleRate, config }, packets),
				format: "webm",
			};
		case "aac":
		case "ac3":
		case "eac3":
			return {
				bytes: await muxMp4({ codec, channels, sampleRate, config }, packets),
				format: "m4a",
			};
		default:
			throw broken("its codec cannot be cut");
	}
}

/** Writes Opus packets from MP4 into an Ogg file. `dOps` is the Ogg header in the other byte order (RFC 7845, 5.1). */
function writeOpus(dops: Uint8Array, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
	const head = new Uint8Array(19 + Math.max(0, dops.length - 11));
	const view = new DataView(head.buffer);
	const given = new DataView(dops.buffer, dops.byteOffset, dops.byteLength);
	head.set(latin1("OpusHead"), 0);
	head[8] = 1;
	head[9] = given.getUint8(1);
	view.setUint32(12, given.getUint32(4), true);
	view.setInt16(16, given.getInt16(8), true);
	head.set(dops.subarray(10), 18);
	return writeOggStream(1, 48000, headersForSlice("opus", [head], 0), packets);
}
