import { concat } from "@parley/bytes/concat";
import type { AudioInfo, Layout } from "../../audio-info.ts";
import { type AudioSource, readSequentially } from "../../audio-source.ts";
import { u8, u16, u32 } from "../../bytes.ts";
import { adtsFrames } from "../../codecs/aac.ts";
import { type FrameFormat, FrameWalker, findFirstFrame } from "../../codecs/frames.ts";
import { mpegFrames } from "../../codecs/mpeg-audio.ts";
import type { PacketVisitor, Position, Scan } from "../../packets.ts";
import { broken, noAudioTrack, unsupportedCodec } from "../../unsupported-audio.ts";

export type MpegLayout = Extract<Layout, { kind: "mpeg" }>;

const TS_PACKET = 188;
const PROBE_BYTES = 2 * 1024 * 1024;
/** Audio among the stream types of ISO 13818-1, table 2-34. */
const TS_AUDIO: Record<number, "adts" | "mpeg"> = { 3: "mpeg", 4: "mpeg", 15: "adts" };
/** Names of stream types with audio that is not supported. */
const TS_UNSUPPORTED: Record<number, string> = {
	6: "private data",
	17: "AAC in LATM",
	128: "PCM",
	129: "AC-3",
	130: "DTS",
	131: "Dolby TrueHD",
	135: "E-AC-3",
};

/** Receives payload of a stream, and the file offset of the packet that it came in. */
type PayloadVisitor = (bytes: Uint8Array, packetAt: number) => void;

/** Finds the first audio stream of a transport or program stream, and its first frame. */
export async function openMpeg(source: AudioSource, container: "mpeg-ts" | "mpeg-ps"): Promise<AudioInfo> {
	const head = await source.read(0, Math.min(source.size, PROBE_BYTES));
	const { stream, frames } = container === "mpeg-ts" ? findInTransport(head) : findInProgram(head);
	const pieces: Uint8Array[] = [];
	createDemuxer(container, stream, (bytes) => pieces.push(bytes.slice()))(head, 0, true);
	const format = frames === "adts" ? adtsFrames : mpegFrames;
	const first = findFirstFrame(format, concat(pieces));
	if (!first) throw broken("its audio stream contains no frames");
	const { frame } = first;
	return {
		container,
		format: "mpeg",
		codec: frames === "adts" ? "aac" : frame.kind === 3 ? "mp3" : "mp2",
		channels: frame.channels,
		sampleRate: frame.rate,
		durationSeconds: null,
		exactDuration: false,
		sizeBytes: source.size,
		layout: { kind: "mpeg", stream, frames, start: 0 },
	};
}

/** Finds the packet identifier of the first audio stream by the program tables (ISO 13818-1, 2.4.4). */
function findInTransport(b: Uint8Array): { stream: number; frames: "adts" | "mpeg" } {
	let mapId = -1;
	const others: string[] = [];
	for (let at = 0; at + TS_PACKET <= b.length; at += TS_PACKET) {
		const pid = u16(b, at + 1) & 0x1fff;
		if (u8(b, at) !== 0x47 || (u8(b, at + 1) & 0x40) === 0 || (pid !== 0 && pid !== mapId)) continue;
		const body = at + 4 + (u8(b, at + 3) & 0x20 ? 1 + u8(b, at + 4) : 0);
		const table = body + 1 + u8(b, body);
		const end = Math.min(at + TS_PACKET, table + 3 + (u16(b, table + 1) & 0xfff) - 4);
		if (pid === 0) {
			for (let entry = table + 8; entry + 4 <= end; entry += 4) {
				if (u16(b, entry) !== 0 && mapId === -1) mapId = u16(b, entry + 2) & 0x1fff;
			}
			continue;
		}
		for (let entry = table + 12 + (u16(b, table + 10) & 0xfff); entry + 5 <= end; ) {
			const type = u8(b, entry);
			const frames = TS_AUDIO[type];
			if (frames) return { stream: u16(b, entry + 1) & 0x1fff, frames };
			const other = TS_UNSUPPORTED[type];
			if (other) others.push(other);
			entry += 5 + (u16(b, entry + 3) & 0xfff);
		}
	}
	if (mapId === -1) throw broken("its transport stream has no program");
	if (others.length > 0) throw unsupportedCodec(others.join(", "));
	throw noAudioTrack();
}

/** Finds the first MPEG audio stream of a program stream. */
function findInProgram(b: Uint8Array): { stream: number; frames: "mpeg" } {
	let stream: number | undefined;
	let other = false;
	for (let at = 0; at + 6 <= b.length; ) {
		const code = u32(b, at);
		if (code >>> 8 !== 1) {
			at++;
			continue;
		}
		const id = code & 255;
		if (id >= 0xc0 && id <= 0xdf) stream ??= id;
		if (id === 0xbd) other = true;
		at += id === 0xba ? packHeaderBytes(b, at) : 6 + u16(b, at + 4);
	}
	if (stream !== undefined) return { stream, frames: "mpeg" };
	if (other) throw unsupportedCodec("DVD audio (AC-3, DTS or PCM)");
	throw noAudioTrack();
}

/** Returns the length of a pack header. MPEG-2 has stuffing, MPEG-1 none. */
const packHeaderBytes = (b: Uint8Array, at: number) =>
	u8(b, at + 4) >> 6 === 1 ? 14 + (u8(b, at + 13) & 7) : 12;

/** Creates a function that takes bytes of the file in order, visits the payload of one stream and returns how many bytes it used. */
function createDemuxer(
	container: AudioInfo["container"],
	stream: number,
	visit: PayloadVisitor,
): (bytes: Uint8Array, offset: number, isLast: boolean) => number {
	return container === "mpeg-ts"
		? (bytes, offset) => demuxTransport(bytes, offset, stream, visit)
		: (bytes, offset, isLast) => demuxProgram(bytes, offset, isLast, stream, visit);
}

function demuxTransport(b: Uint8Array, offset: number, pid: number, visit: PayloadVisitor): number {
	let at = 0;
	while (at + TS_PACKET <= b.length) {
		if (u8(b, at) !== 0x47) {
			at++;
			continue;
		}
		const adaptation = u8(b, at + 3) >> 4;
		if ((u16(b, at + 1) & 0x1fff) === pid && adaptation & 1) {
			let body = at + 4 + (adaptation & 2 ? 1 + u8(b, at + 4) : 0);
			const begins = (u8(b, at + 1) & 0x40) !== 0 && u32(b, body) >>> 8 === 1;
			if (begins) body += 9 + u8(b, body + 8);
			if (body < at + TS_PACKET) visit(b.subarray(body, at + TS_PACKET), offset + at);
		}
		at += TS_PACKET;
	}
	return at;
}

function demuxProgram(
	b: Uint8Array,
	offset: number,
	isLast: boolean,
	id: number,
	visit: PayloadVisitor,
): number {
	let at = 0;
	while (at + 14 <= b.length) {
		const code = u32(b, at);
		if (code >>> 8 !== 1 || (code & 255) < 0xb9) {
			at++;
			continue;
		}
		const kind = code & 255;
		const size = kind === 0xba ? packHeaderBytes(b, at) : kind === 0xb9 ? 4 : 6 + u16(b, at + 4);
		if (at + size > b.length && !isLast) return at;
		if (kind === id) {
			const body = at + pesHeaderBytes(b, at);
			const end = Math.min(b.length, at + size);
			if (body < end) visit(b.subarray(body, end), offset + at);
		}
		at += size;
	}
	return Math.min(at, b.length);
}

/** Returns the length of a packet header (ISO 13818-1, 2.4.3.7; ISO 11172-1, 2.4.3.3). */
function pesHeaderBytes(b: Uint8Array, at: number): number {
	if (u8(b, at + 6) >> 6 === 2) return 9 + u8(b, at + 8);
	let cursor = at + 6;
	while (u8(b, cursor) === 0xff) cursor++;
	if (u8(b, cursor) >> 6 === 1) cursor += 2;
	const stamp = u8(b, cursor) >> 4;
	return cursor + (stamp === 2 ? 5 : stamp === 3 ? 10 : 1) - at;
}

const frameFormat = (layout: MpegLayout): FrameFormat => (layout.frames === "adts" ? adtsFrames : mpegFrames);

/** Visits all frames of the stream. The position of a frame is [offset of its packet, bytes of payload before it]. */
export async function scanMpeg(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as MpegLayout;
	const format = frameFormat(layout);
	// Payloads that the walker has not passed yet: their offsets in the stream, and those of their packets in the file.
	let payloads: { stream: number; packet: number }[] = [];
	let pending: Uint8Array[] = [];
	let carried = new Uint8Array(0);
	let streamAt = 0;
	let seconds = 0;
	let current = 0;
	const walker = new FrameWalker(format, (offset, frame, bytes, at) => {
		while (current + 1 < payloads.length && (payloads[current + 1] as { stream: number }).stream <= offset)
			current++;
		const found = payloads[current] as { stream: number; packet: number };
		const duration = frame.samples / frame.rate;
		const level = seconds >= visitor.wanted.from ? format.level(bytes, at, frame.size, frame) : null;
		visitor.add(found.packet, offset - found.stream, frame.size, seconds, duration, level);
		seconds += duration;
	});
	const feed = (isLast: boolean) => {
		const bytes = concat([carried, ...pending]);
		const start = streamAt - bytes.length;
		const used = walker.feed(bytes, start, isLast);
		carried = bytes.slice(used);
		pending = [];
		// The walker passes payloads even where it finds no frame.
		const passed = streamAt - carried.length;
		while (current + 1 < payloads.length && (payloads[current + 1] as { stream: number }).stream <= passed)
			current++;
		payloads = payloads.slice(current);
		current = 0;
	};
	const demux = createDemuxer(info.container, layout.stream, (bytes, packet) => {
		payloads.push({ stream: streamAt, packet });
		pending.push(bytes.slice());
		streamAt += bytes.length;
	});
	await readSequentially(source, layout.start, source.size, (bytes, offset, isLast) => {
		const used = demux(bytes, offset, isLast);
		feed(isLast);
		return used;
	});
	return { end: [source.size, 0], endSeconds: seconds };
}

/** Reads the frames from one position to another. */
export async function readMpeg(
	source: AudioSource,
	info: AudioInfo,
	from: Position,
	to: Position,
): Promise<Uint8Array<ArrayBuffer>> {
	const layout = info.layout as MpegLayout;
	const pieces: Uint8Array[] = [];
	const demux = createDemuxer(info.container, layout.stream, (bytes, packet) => {
		if (packet < from[0] || packet > to[0]) return;
		const start = packet === from[0] ? from[1] : 0;
		const end = packet === to[0] ? to[1] : bytes.length;
		pieces.push(bytes.slice(start, end));
	});
	// Reads to the end of the last packet.
	const end = Math.min(source.size, to[0] + 0x10006);
	await readSequentially(source, from[0], end, demux);
	return concat(pieces);
}
