import { fromBase64, toBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioInfo } from "../../audio-info.ts";
import { type AudioSource, readSequentially } from "../../audio-source.ts";
import { u16le } from "../../bytes.ts";
import {
	headerCount,
	headersForSlice,
	identifyCodec,
	readStreamHeaders,
	type StreamHeaders,
} from "../../codecs/headers.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import {
	type AudioPacket,
	MAX_CHUNK_PACKETS,
	type PacketVisitor,
	type Position,
	type Scan,
} from "../../packets.ts";
import { broken, UnsupportedAudio } from "../../unsupported-audio.ts";
import { identifyAudio, MAX_HEADER_BYTES, type OggLayout } from "./open.ts";
import {
	isWholePage,
	MAX_PAGE_BYTES,
	MAX_PAGE_HEADER_BYTES,
	OggWriter,
	pageRuns,
	readPage,
} from "./pages.ts";

/** Duration of most pages, with a margin for bytes above the average. */
const USUAL_PAGE_SECONDS = 1.2;

/** Audio that the last granule position may cut off, besides the packets of the last page. */
const MAX_PADDING_SECONDS = 1;

/** One logical stream. A chained file has several, one after the other. */
class LogicalStream {
	readonly serial: number;
	codec: StreamHeaders | undefined;
	time: ((firstBytes: number, size: number) => number) | undefined;
	samples = 0;
	firstGranule: number | undefined;
	/** Samples of the packets before the last page with a granule position. */
	samplesBefore = 0;
	private readonly headers: Uint8Array[] = [];

	constructor(serial: number) {
		this.serial = serial;
	}

	/** Takes a header packet. @throws UnsupportedAudio if this stream is encoded differently than the first. */
	takeHeader(packet: Uint8Array, info: AudioInfo): void {
		this.headers.push(packet);
		if (this.headers.length < headerCount(info.codec as "opus" | "vorbis")) return;
		const codec = readStreamHeaders(this.headers);
		if (!codec) throw broken("the headers of its audio stream are incomplete");
		const setup = (info.layout as OggLayout).headers[1];
		const alike = codec.channels === info.channels && codec.rate === info.sampleRate;
		if (!alike || (setup !== undefined && setup !== toBase64(this.headers[2] as Uint8Array))) {
			throw encodedDifferently();
		}
		this.codec = codec;
		this.time = codec.timer();
	}

	/** Returns the duration without the padding that the last granule position cuts off. */
	durationSeconds(lastGranule: number): number {
		const codec = this.codec as StreamHeaders;
		const end = lastGranule - (this.firstGranule ?? 0);
		const isPadded = lastGranule >= 0 && end >= this.samplesBefore - MAX_PADDING_SECONDS * codec.rate;
		const played = isPadded ? Math.min(this.samples, end) : this.samples;
		return Math.max(0, played - codec.preSkip) / codec.rate;
	}
}

/**
 * Visits the packets of all logical streams. The position of a packet is [offset of its page, its number among the packets that begin
 * there]. For Vorbis it is the position of the packet before, because a decoder needs that packet for the first sample.
 */
export async function scanOgg(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as OggLayout;
	let stream = new LogicalStream(layout.serial);
	let before = 0;
	let lastGranule = -1;
	let previous: Position = [0, 0];
	const finishStream = () => {
		if (stream.codec) before += stream.durationSeconds(lastGranule);
	};
	const takePacket = (position: Position, head: number, size: number, data: Uint8Array | null) => {
		if (!stream.codec) {
			if (data) stream.takeHeader(data, info);
			return;
		}
		const codec = stream.codec;
		const samples = (stream.time as (head: number, size: number) => number)(head, size);
		const seconds = before + Math.max(0, stream.samples - codec.preSkip) / codec.rate;
		const duration = samples / codec.rate;
		const from = codec.codec === "vorbis" && stream.samples > 0 ? previous : position;
		visitor.add(from[0], from[1], size, seconds, duration, rateLevel(size, duration || 0.02));
		stream.samples += samples;
		previous = position;
	};
	let open: { position: Position; head: number; size: number; pieces: Uint8Array[] } | undefined;
	await readSequentially(source, 0, source.size, (bytes, offset, isLast) => {
		let at = 0;
		while (at + 27 <= bytes.length) {
			const page = readPage(bytes, at);
			if (!page) {
				at++;
				continue;
			}
			if (!isWholePage(bytes, at, page)) {
				if (!isLast) return at;
				break;
			}
			// An audio stream that begins behind the headers of another is the next of a chain.
			const begun =
				page.begins && stream.codec ? identifyAudio(bytes.subarray(page.body, at + page.size)) : null;
			if (begun !== null && begun !== info.codec) throw encodedDifferently();
			if (begun !== null) {
				finishStream();
				stream = new LogicalStream(page.serial);
				lastGranule = -1;
				open = undefined;
			}
			if (page.serial === stream.serial) {
				const samplesBefore = stream.samples;
				for (const { start, end, number, isLast } of pageRuns(bytes, page)) {
					if (number !== null || !open) {
						open = { position: [offset + at, number ?? 0], head: 0, size: 0, pieces: [] };
					}
					if (open.size < 2 && end > start) open.head = u16le(bytes, start);
					open.size += end - start;
					if (!stream.codec) {
						if (open.size > MAX_HEADER_BYTES) throw broken("the headers of its audio stream are too long");
						open.pieces.push(bytes.slice(start, end));
					}
					if (!isLast) continue;
					takePacket(open.position, open.head, open.size, stream.codec ? null : concat(open.pieces));
					open = undefined;
				}
				if (stream.codec && page.granule >= 0) {
					stream.firstGranule ??= Math.max(0, page.granule - stream.samples);
					lastGranule = page.granule;
					stream.samplesBefore = samplesBefore;
				}
			}
			at += page.size;
		}
		return at;
	});
	finishStream();
	return { end: [source.size, 0], endSeconds: before };
}

const encodedDifferently = () =>
	new UnsupportedAudio("unsupported_codec", "The file chains recordings that are encoded differently.");

const isAudio = (bytes: Uint8Array, at: number, codec: string) =>
	identifyCodec(bytes.subarray(at, at + 64)) === codec;

/** Reads the packets from one position to another. */
export async function readOgg(
	source: AudioSource,
	info: AudioInfo,
	from: Position,
	to: Position,
): Promise<AudioPacket[]> {
	const codec = info.codec as "opus" | "vorbis";
	const timer = readStreamHeaders(headersFrom(info, from))?.timer();
	if (!timer) throw broken("the headers of its audio stream are incomplete");
	const packets: AudioPacket[] = [];
	let samples = 0;
	const pages = await readPages(source, from[0], to[0], usualPageBytes(info));
	for (const data of packetsBetween(pages, from, to, codec)) {
		if (packets.length >= MAX_CHUNK_PACKETS) throw broken("it has too many packets");
		const added = timer(u16le(data, 0), data.length);
		packets.push({ data, seconds: samples / info.sampleRate, duration: added / info.sampleRate });
		samples += added;
	}
	return packets;
}

/** Writes packets that begin at `from` into an Ogg file. */
export function writeOgg(
	info: AudioInfo,
	from: Position,
	packets: readonly AudioPacket[],
): Uint8Array<ArrayBuffer> {
	const { serial } = info.layout as OggLayout;
	return writeOggStream(serial, info.sampleRate, headersFrom(info, from), packets);
}

/** Writes an Ogg file of one stream. */
export function writeOggStream(
	serial: number,
	rate: number,
	headers: readonly Uint8Array[],
	packets: readonly AudioPacket[],
): Uint8Array<ArrayBuffer> {
	const writer = new OggWriter(serial, rate);
	for (const header of headers) writer.header(header);
	for (const { data, duration } of packets) writer.packet(data, Math.round(duration * rate));
	return writer.finish();
}

/** Returns the header packets of a slice. Only the slice at the start of the recording has samples to drop. */
function headersFrom(info: AudioInfo, from: Position): Uint8Array[] {
	const { headers, start, preSkip } = info.layout as OggLayout;
	const codec = info.codec as "opus" | "vorbis";
	return headersForSlice(codec, headers.map(fromBase64), from[0] <= start ? preSkip : 0);
}

/** Estimates the size of a page by the average bit rate. */
function usualPageBytes({ durationSeconds, sizeBytes }: AudioInfo): number {
	const bytes = durationSeconds ? (USUAL_PAGE_SECONDS * sizeBytes) / durationSeconds : MAX_PAGE_BYTES;
	return Math.ceil(Math.min(MAX_PAGE_BYTES, bytes + MAX_PAGE_HEADER_BYTES));
}

/** Reads whole pages, up to and including the one at `to`, which has about `pageBytes` bytes. */
async function readPages(
	source: AudioSource,
	from: number,
	to: number,
	pageBytes: number,
): Promise<Uint8Array> {
	const end = Math.min(source.size, to + (to < source.size ? pageBytes : 0));
	const bytes = await source.read(from, end);
	const page = readPage(bytes, to - from);
	if (end >= source.size || (page && isWholePage(bytes, to - from, page))) return bytes;
	return concat([bytes, await source.read(end, Math.min(source.size, to + MAX_PAGE_BYTES))]);
}

function* packetsBetween(
	bytes: Uint8Array,
	from: Position,
	to: Position,
	codec: "opus" | "vorbis",
): Generator<Uint8Array> {
	let serial: number | undefined;
	let open: Uint8Array[] | undefined;
	let headersLeft = 0;
	// For Vorbis `to` is the packet before the boundary, which still belongs to this range.
	const extra = codec === "vorbis" ? 1 : 0;
	for (let at = 0; at + 27 <= bytes.length; ) {
		const page = readPage(bytes, at);
		if (!page || !isWholePage(bytes, at, page)) {
			at++;
			continue;
		}
		if (page.begins && serial !== undefined && isAudio(bytes, page.body, codec)) {
			serial = page.serial;
			headersLeft = headerCount(codec);
			open = undefined;
		}
		serial ??= page.serial;
		if (page.serial === serial) {
			for (const { start, end, number, isLast } of pageRuns(bytes, page)) {
				if (number !== null) {
					const position: Position = [from[0] + at, number];
					if (!isBefore(position, [to[0], to[1] + extra])) return;
					open = isBefore(position, from) ? undefined : [];
				}
				open?.push(bytes.subarray(start, end));
				if (!isLast) continue;
				if (open && headersLeft > 0) headersLeft--;
				else if (open) yield concat(open);
				open = undefined;
			}
		}
		at += page.size;
	}
}

const isBefore = (a: Position, b: Position) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
