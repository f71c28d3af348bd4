import type { AudioFormat, AudioInfo } from "./audio-info.ts";
import type { AudioSource } from "./audio-source.ts";
import { concat, fromBase64, latin1 } from "./bytes.ts";
import { aacConfigOfAdts, adtsPackets } from "./codecs/aac.ts";
import { AMR_MAGIC } from "./codecs/amr.ts";
import { sliceHeaders } from "./codecs/headers.ts";
import { flacFile, flacHeader } from "./formats/flac/flac.ts";
import { readFragments } from "./formats/mp4/fragments.ts";
import { readExtents } from "./formats/mp4/samples.ts";
import { readMpeg } from "./formats/mpeg/mpeg-stream.ts";
import { oggFile, oggStream, readOgg } from "./formats/ogg/ogg.ts";
import { wavFile } from "./formats/wav/wav.ts";
import { readWebm } from "./formats/webm/webm.ts";
import { muxMp4, muxWebm } from "./mux.ts";
import type { Extents, Position, Sound, SoundPacket } from "./packets.ts";
import { broken } from "./unsupported-audio.ts";

/** A part of a file, on packet boundaries. */
export type FileRange = {
	from: Position;
	to: Position;
	startSeconds: number;
	endSeconds: number;
	/** Set for files whose scan gave them. */
	extents?: Extents;
};

/** A file in memory. */
export type AudioFile = { bytes: Uint8Array<ArrayBuffer>; format: AudioFormat };

/** Of a file that is read for one chunk: what lies between its packets, such as the pictures of a video, is read along. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export async function readSound(source: AudioSource, info: AudioInfo, range: FileRange): Promise<Sound> {
	const { from, to } = range;
	const isReadWhole = ["wav", "flac", "frames", "ogg"].includes(info.layout.kind);
	if (isReadWhole && to[0] - from[0] > MAX_READ_BYTES) throw broken("its sound lies too far apart");
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

export async function toFile(
	info: AudioInfo,
	range: FileRange,
	sound: Sound,
	wrap: boolean,
): Promise<AudioFile> {
	const { layout } = info;
	if ("packets" in sound) {
		if (layout.kind === "ogg") return { bytes: oggFile(info, range.from, sound.packets), format: "ogg" };
		return fromPackets(
			info,
			"config" in layout ? fromBase64(layout.config) : new Uint8Array(),
			sound.packets,
		);
	}
	const { bytes } = sound;
	if (layout.kind === "wav") return { bytes: wavFile(info, bytes), format: "wav" };
	if (layout.kind === "flac") {
		return { bytes: flacFile(info, bytes, range.endSeconds - range.startSeconds), format: "flac" };
	}
	return fromFrames(info, concat([bytes]), wrap);
}

/** Frames with their own headers need nothing around them, but AMR its magic number, and AAC perhaps a container. */
async function fromFrames(
	info: AudioInfo,
	bytes: Uint8Array<ArrayBuffer>,
	wrap: boolean,
): Promise<AudioFile> {
	if (info.codec === "amr_nb" || info.codec === "amr_wb") {
		return { bytes: concat([latin1(AMR_MAGIC[info.codec]), bytes]), format: "amr" };
	}
	if (info.codec !== "aac") return { bytes, format: info.codec === "mp3" ? "mp3" : "mpeg" };
	if (!wrap) return { bytes, format: "aac" };
	const coding = {
		codec: "aac",
		channels: info.channels,
		sampleRate: info.sampleRate,
		config: aacConfigOfAdts(bytes, 0),
	} as const;
	return { bytes: await muxMp4(coding, adtsPackets(bytes)), format: "m4a" };
}

async function mp4Packets(source: AudioSource, info: AudioInfo, range: FileRange): Promise<SoundPacket[]> {
	const packets: SoundPacket[] = [];
	if (info.layout.kind === "mp4-fragments") {
		for await (const packet of readFragments(source, info, range.from, range.to)) packets.push(packet);
		return packets;
	}
	if (!range.extents) throw broken("its plan is incomplete");
	let seconds = 0;
	for await (const { data, duration } of readExtents(source, range.extents)) {
		packets.push({ data, seconds, duration });
		seconds += duration;
	}
	return packets;
}

/** Packets from MP4 or WebM: back into such a container, or as a bare stream where the codec has one. */
async function fromPackets(
	info: AudioInfo,
	config: Uint8Array,
	packets: readonly SoundPacket[],
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
			if (info.container === "mp4") return { bytes: opusFile(config, packets), format: "ogg" };
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
			throw broken("its sound cannot be cut");
	}
}

/** Opus out of MP4 as an Ogg file: `dOps` is the Ogg header with the numbers the other way round (RFC 7845, 5.1). */
function opusFile(dops: Uint8Array, packets: readonly SoundPacket[]): Uint8Array<ArrayBuffer> {
	const head = new Uint8Array(19 + Math.max(0, dops.length - 11));
	const view = new DataView(head.buffer);
	const given = new DataView(dops.buffer, dops.byteOffset, dops.byteLength);
	head.set(latin1("OpusHead"), 0);
	head[8] = 1;
	head[9] = given.getUint8(1);
	view.setUint32(12, given.getUint32(4), true);
	view.setInt16(16, given.getInt16(8), true);
	head.set(dops.subarray(10), 18);
	return oggStream(1, 48000, sliceHeaders("opus", [head], 0), packets);
}
