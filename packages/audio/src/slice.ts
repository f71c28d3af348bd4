import type { AudioFormat, AudioInfo } from "./audio-info.ts";
import { fromBase64, latin1 } from "./bytes.ts";
import { AMR_MAGIC } from "./formats/amr-frames.ts";
import { flacHeader, sliceFlac } from "./formats/flac.ts";
import { readFragments } from "./formats/mp4-fragments.ts";
import { readExtents } from "./formats/mp4-samples.ts";
import { readMpeg } from "./formats/mpeg-stream.ts";
import { sliceOgg } from "./formats/ogg.ts";
import { sliceHeaders } from "./formats/ogg-codecs.ts";
import { OggWriter } from "./formats/ogg-pages.ts";
import type { SoundPacket } from "./formats/packets.ts";
import { sliceWav } from "./formats/wav.ts";
import { readWebm } from "./formats/webm.ts";
import { aacConfigOfAdts, adtsPackets, muxPackets } from "./mux.ts";
import type { PlannedChunk } from "./plan.ts";
import { type AudioSource, concat, parsing } from "./source.ts";
import { broken } from "./unsupported-audio.ts";

/** A valid audio file of its own. Word times of an engine count from `startSeconds`. */
export type SlicedChunk = {
	bytes: Uint8Array<ArrayBuffer>;
	format: AudioFormat;
	contentType: string;
	/** With the extension that fits the bytes. */
	filename: string;
	startSeconds: number;
	durationSeconds: number;
};

const TYPES: Record<AudioFormat, string> = {
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

/** Extensions where they differ from the format's name: `.mpga` is MPEG audio of any layer. */
const EXTENSIONS: Partial<Record<AudioFormat, string>> = { mpeg: "mpga" };

/**
 * Cuts a planned chunk out of a file, on packet boundaries and without decoding. Reads only the chunk's own bytes. The format
 * is that of the file, except that sound is taken out of video and transport streams; AAC goes into M4A where `accepts`
 * names that but not `aac`. Throws UnsupportedAudio when the bytes are not as planned.
 */
export async function sliceChunk(
	source: AudioSource,
	info: AudioInfo,
	chunk: PlannedChunk,
	options: { accepts?: readonly AudioFormat[] } = {},
): Promise<SlicedChunk> {
	const wrap = info.codec === "aac" && !!options.accepts && !options.accepts.includes("aac");
	const { bytes, format } = await parsing(source, (watched) => cut(watched, info, chunk, wrap));
	const name = String(chunk.index + 1).padStart(4, "0");
	return {
		bytes,
		format,
		contentType: TYPES[format],
		filename: `${name}.${EXTENSIONS[format] ?? format}`,
		startSeconds: chunk.startSeconds,
		durationSeconds: chunk.endSeconds - chunk.startSeconds,
	};
}

type File = { bytes: Uint8Array<ArrayBuffer>; format: AudioFormat };

async function cut(source: AudioSource, info: AudioInfo, chunk: PlannedChunk, wrap: boolean): Promise<File> {
	const [from, to] = [chunk.from[0], chunk.to[0]];
	const { layout } = info;
	if (chunk.whole && !(wrap && layout.kind === "frames")) {
		return { bytes: concat([await source.read(0, source.size)]), format: info.format };
	}
	switch (layout.kind) {
		case "wav":
			return { bytes: await sliceWav(source, info, from, to), format: "wav" };
		case "flac":
			return {
				bytes: await sliceFlac(source, info, from, to, chunk.endSeconds - chunk.startSeconds),
				format: "flac",
			};
		case "ogg":
			return { bytes: await sliceOgg(source, info, chunk.from, chunk.to), format: "ogg" };
		case "frames":
			return fromFrames(info, concat([await source.read(from, to)]), wrap);
		case "mpeg":
			return fromFrames(info, await readMpeg(source, info, chunk.from, chunk.to), true);
		case "mp4":
		case "mp4-fragments":
			return fromPackets(info, fromBase64(layout.config), await mp4Packets(source, info, chunk));
		case "webm":
			return fromPackets(info, fromBase64(layout.config), await readWebm(source, info, chunk.from, chunk.to));
	}
}

/** Frames with their own headers need nothing around them, but AMR its magic number, and AAC perhaps a container. */
async function fromFrames(info: AudioInfo, bytes: Uint8Array<ArrayBuffer>, wrap: boolean): Promise<File> {
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
	return { bytes: await muxPackets("mp4", coding, adtsPackets(bytes)), format: "m4a" };
}

async function mp4Packets(source: AudioSource, info: AudioInfo, chunk: PlannedChunk): Promise<SoundPacket[]> {
	const packets: SoundPacket[] = [];
	if (info.layout.kind === "mp4-fragments") {
		for await (const packet of readFragments(source, info, chunk.from, chunk.to)) packets.push(packet);
		return packets;
	}
	if (!chunk.extents) throw broken("its plan is incomplete");
	let seconds = 0;
	for await (const { data, duration } of readExtents(source, chunk.extents)) {
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
): Promise<File> {
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
				bytes: await muxPackets("webm", { codec, channels, sampleRate, config }, packets),
				format: "webm",
			};
		case "vorbis":
			return {
				bytes: await muxPackets("webm", { codec, channels, sampleRate, config }, packets),
				format: "webm",
			};
		case "aac":
		case "ac3":
		case "eac3":
			return {
				bytes: await muxPackets("mp4", { codec, channels, sampleRate, config }, packets),
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
	const writer = new OggWriter(1, 48000);
	for (const header of sliceHeaders("opus", [head], 0)) writer.header(header);
	for (const packet of packets) writer.packet(packet.data, Math.round(packet.duration * 48000));
	return writer.finish();
}
