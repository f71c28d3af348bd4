import { fromBase64, toBase64 } from "@parley/bytes/base64";
import type { AudioCodec, AudioInfo, Layout } from "../../audio-info.ts";
import { type AudioSource, readSequentially } from "../../audio-source.ts";
import { ascii, u8 } from "../../bytes.ts";
import { readAacConfig } from "../../codecs/aac.ts";
import { packetLevel, packetSeconds } from "../../codecs/codecs.ts";
import { readStreamInfo } from "../../codecs/flac.ts";
import { identifyCodec, readStreamHeaders } from "../../codecs/headers.ts";
import {
	type AudioPacket,
	MAX_CHUNK_PACKETS,
	type PacketVisitor,
	type Position,
	type Scan,
} from "../../packets.ts";
import { broken, emptyAudio, noAudioTrack, unsupportedCodec } from "../../unsupported-audio.ts";
import { type Block, BlockReader, CLUSTER, SEGMENT } from "./blocks.ts";
import { readElement, readFloat, readUint } from "./ebml.ts";

export type WebmLayout = Extract<Layout, { kind: "webm" }>;

const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;

const CODECS: [RegExp, AudioCodec][] = [
	[/^A_OPUS$/, "opus"],
	[/^A_VORBIS$/, "vorbis"],
	[/^A_AAC/, "aac"],
	[/^A_MPEG\/L3$/, "mp3"],
	[/^A_FLAC$/, "flac"],
	[/^A_AC3/, "ac3"],
	[/^A_EAC3$/, "eac3"],
];
const MAX_CODEC_ID_BYTES = 64;
/** Maximum number of tracks. Real files have fewer. */
const MAX_TRACKS = 1000;
/** Bytes to read for the headers before the first cluster. The next value applies if the one before is not enough. */
const HEADER_BYTES = [8 * 1024, 64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** Reads the headers of a WebM or Matroska file, which precede the first cluster. */
export async function openWebm(source: AudioSource): Promise<AudioInfo> {
	for (const length of HEADER_BYTES) {
		const bytes = await source.read(0, Math.min(source.size, length));
		const info = readFlacFrame(source, bytes, bytes.length >= source.size || length === HEADER_BYTES.at(-1));
		if (info) return info;
	}
	throw broken("its headers are too long");
}

function readFlacFrame(source: AudioSource, bytes: Uint8Array, whole: boolean): AudioInfo | null {
	let nanosPerTick = 1_000_000;
	let ticks = 0;
	let start = 0;
	const tracks: WebmTrack[] = [];
	for (let at = 0; at < bytes.length; ) {
		const element = readElement(bytes, at);
		if (!element) break;
		if (element.id === CLUSTER) {
			start = at;
			break;
		}
		// Only segments and clusters may be of unknown length (RFC 8794, 6.2). Others would be read again and again.
		if ((element.id === INFO || element.id === TRACKS) && element.end !== null) {
			for (const inner of childElements(bytes, element.body, element.end)) {
				if (inner.id === TIMESTAMP_SCALE) nanosPerTick = readUint(bytes, inner.body, inner.end);
				if (inner.id === DURATION) ticks = readFloat(bytes, inner.body, inner.end);
				if (inner.id !== TRACK_ENTRY) continue;
				if (tracks.length >= MAX_TRACKS) throw broken("it has too many tracks");
				tracks.push(readTrack(bytes, inner.body, inner.end));
			}
		}
		const inside = element.id === SEGMENT || element.end === null;
		at = inside ? element.body : (element.end ?? bytes.length);
	}
	if (start === 0 && !whole) return null;
	if (nanosPerTick === 0) throw broken("its time scale is zero");
	if (tracks.length === 0) throw broken("its track descriptions are missing");
	const track = tracks.find((candidate) => candidate.type === 2);
	if (!track) throw noAudioTrack();
	const codec = CODECS.find(([pattern]) => pattern.test(track.codecId))?.[1];
	if (!codec) throw unsupportedCodec(track.codecId.replace(/^A_/, ""));
	if (start === 0) throw emptyAudio();
	const described = describe(codec, track);
	const durationSeconds = (ticks * nanosPerTick) / 1e9;
	return {
		container: "matroska",
		format: "webm",
		codec,
		...described,
		durationSeconds: durationSeconds > 0 ? durationSeconds : null,
		exactDuration: false,
		sizeBytes: source.size,
		layout: {
			kind: "webm",
			config: toBase64(track.config),
			track: track.number,
			secondsPerTick: nanosPerTick / 1e9,
			frameSeconds: track.frameNanos / 1e9,
			start,
		},
	};
}

type WebmTrack = {
	number: number;
	type: number;
	codecId: string;
	config: Uint8Array;
	channels: number;
	sampleRate: number;
	frameNanos: number;
};

function readTrack(b: Uint8Array, from: number, to: number): WebmTrack {
	const track = {
		number: 0,
		type: 0,
		codecId: "",
		config: new Uint8Array(0),
		channels: 1,
		sampleRate: 8000,
		frameNanos: 0,
	};
	for (const element of childElements(b, from, to)) {
		const { body, end } = element;
		if (element.id === 0xd7) track.number = readUint(b, body, end);
		if (element.id === 0x83) track.type = readUint(b, body, end);
		if (element.id === 0x86) track.codecId = codecIdOf(b, body, end);
		if (element.id === 0x63a2) track.config = b.slice(body, end);
		if (element.id === 0x23e383) track.frameNanos = readUint(b, body, end);
		if (element.id !== 0xe1) continue;
		for (const inner of childElements(b, body, end)) {
			if (inner.id === 0x9f) track.channels = readUint(b, inner.body, inner.end);
			if (inner.id === 0xb5) track.sampleRate = readFloat(b, inner.body, inner.end);
		}
	}
	return track;
}

const codecIdOf = (b: Uint8Array, body: number, end: number): string =>
	ascii(b, body, Math.min(end - body, MAX_CODEC_ID_BYTES)).replace(/\0+$/, "");

function describe(codec: AudioCodec, track: WebmTrack): { channels: number; sampleRate: number } {
	const plain = { channels: track.channels, sampleRate: track.sampleRate };
	if (codec === "aac") return { ...plain, ...readAacConfig(track.config) };
	if (codec === "opus") return { channels: u8(track.config, 9) || plain.channels, sampleRate: 48000 };
	if (codec === "flac" && ascii(track.config, 0, 4) === "fLaC") {
		const { channels, sampleRate } = readStreamInfo(track.config.subarray(8));
		return { channels, sampleRate };
	}
	return plain;
}

function* childElements(
	b: Uint8Array,
	from: number,
	to: number,
): Generator<{ id: number; body: number; end: number }> {
	for (let at = from; at < to; ) {
		const element = readElement(b, at);
		if (!element || element.end === null || element.end > b.length) return;
		yield { id: element.id, body: element.body, end: element.end };
		at = element.end;
	}
}

/** Reports whether a step between two timestamps is damage: a fall, or a leap of more than ten minutes. */
export const isBrokenStep = (seconds: number): boolean => seconds < -1 || seconds > 600;

/**
 * Creates a function that returns the duration of a frame by its own bytes or by the track's header. It returns 0 if only the next
 * block tells.
 */
export function frameTimer(info: AudioInfo): (frame: Uint8Array) => number {
	const layout = info.layout as WebmLayout;
	if (info.codec === "vorbis") {
		const timer = readStreamHeaders(vorbisHeaders(fromBase64(layout.config)))?.timer();
		if (timer) return (frame) => timer(u8(frame, 0), frame.length) / info.sampleRate;
	}
	return (frame) => packetSeconds(info.codec, frame, info.sampleRate) ?? layout.frameSeconds;
}

/** Reads the three header packets of Vorbis from CodecPrivate, which stores them in Xiph lacing. */
function vorbisHeaders(config: Uint8Array): Uint8Array[] {
	if (u8(config, 0) !== 2) return [];
	const sizes: number[] = [];
	let at = 1;
	while (sizes.length < 2 && at < config.length) {
		let size = 0;
		let byte = 255;
		while (byte === 255 && at < config.length) {
			byte = u8(config, at++);
			size += byte;
		}
		sizes.push(size);
	}
	const [a = 0, b = 0] = sizes;
	const packets = [
		config.subarray(at, at + a),
		config.subarray(at + a, at + a + b),
		config.subarray(at + a + b),
	];
	return identifyCodec(packets[0] as Uint8Array) === "vorbis" ? packets : [];
}

/** Visits the blocks of the track. The position of a block is [offset of its element, time of its cluster]. */
export async function scanWebm(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as WebmLayout;
	const timer = frameTimer(info);
	let pending: { block: Block; bytes: number; level: number | null; duration: number } | undefined;
	let origin: number | undefined;
	let endSeconds = 0;
	let lastDuration = 0;
	const seconds = (block: Block) => block.ticks * layout.secondsPerTick - (origin ?? 0);
	const report = (until: number | null) => {
		if (!pending) return;
		const at = seconds(pending.block);
		// Without a next block, the last one counts as long as the one before.
		const duration = pending.duration || (until === null ? lastDuration : Math.max(0, until - at));
		lastDuration = duration;
		visitor.add(pending.block.at, pending.block.clusterTicks, pending.bytes, at, duration, pending.level);
		endSeconds = at + duration;
	};
	const reader = new BlockReader(layout.track, 0, (block) => {
		origin ??= block.ticks * layout.secondsPerTick;
		const expected = pending ? seconds(pending.block) + (pending.duration || lastDuration) : 0;
		// A damaged timestamp continues from the expected time.
		const step = seconds(block) - expected;
		if (pending && isBrokenStep(step)) {
			report(expected);
			pending = undefined;
			origin += step;
		}
		const at = seconds(block);
		report(at);
		const duration = block.frames.reduce((sum, frame) => sum + timer(frame), 0);
		const first = block.frames[0] as Uint8Array;
		const level =
			at >= visitor.wanted.from
				? packetLevel(info.codec, first, duration / block.frames.length || 0.02)
				: null;
		const bytes = block.frames.reduce((sum, frame) => sum + frame.length, 0);
		pending = { block, bytes, level, duration };
	});
	await readSequentially(source, layout.start, source.size, (bytes, offset) => reader.feed(bytes, offset));
	report(null);
	return { end: [source.size, 0], endSeconds };
}

/** Reads the packets of the blocks from one position to another. */
export async function readWebm(
	source: AudioSource,
	info: AudioInfo,
	from: Position,
	to: Position,
): Promise<AudioPacket[]> {
	const layout = info.layout as WebmLayout;
	const timer = frameTimer(info);
	const packets: AudioPacket[] = [];
	const reader = new BlockReader(layout.track, from[1], (block) => {
		let seconds = block.ticks * layout.secondsPerTick;
		for (const frame of block.frames) {
			if (packets.length >= MAX_CHUNK_PACKETS) throw broken("it has too many packets");
			const duration = timer(frame);
			packets.push({ data: frame.slice(), seconds, duration });
			seconds += duration;
		}
	});
	await readSequentially(source, from[0], to[0], (bytes, offset) => reader.feed(bytes, offset));
	return packets;
}
