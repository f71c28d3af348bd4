import type { AudioInfo } from "../../audio-info.ts";
import { type AudioSource, walk } from "../../audio-source.ts";
import { concat, fromBase64, toBase64, u16le } from "../../bytes.ts";
import { headerCount, identify, type OggCodec, readHeaders, sliceHeaders } from "../../codecs/headers.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import {
	MAX_CHUNK_PACKETS,
	type PacketVisitor,
	type Position,
	type Scan,
	type SoundPacket,
} from "../../packets.ts";
import { broken, UnsupportedAudio } from "../../unsupported-audio.ts";
import { MAX_HEADER_BYTES, type OggLayout, soundOf } from "./open.ts";
import {
	isWholePage,
	MAX_PAGE_BYTES,
	MAX_PAGE_HEADER_BYTES,
	OggWriter,
	pageRuns,
	readPage,
} from "./pages.ts";

/** Most pages hold a second or less, and a little more than the file's rate leads to expect. */
const USUAL_PAGE_SECONDS = 1.2;

/** What may be cut off at the end beside the packets of the last page. */
const PADDING_SECONDS = 1;

/** One logical stream; a chained file has several, one after the other. */
class Link {
	readonly serial: number;
	codec: OggCodec | undefined;
	time: ((firstBytes: number, size: number) => number) | undefined;
	samples = 0;
	firstGranule: number | undefined;
	/** Of the packets that ended before the last page which tells its time. */
	samplesBefore = 0;
	private readonly headers: Uint8Array[] = [];

	constructor(serial: number) {
		this.serial = serial;
	}

	/** Takes a header packet; links that are coded differently cannot stand in one piece. */
	takeHeader(packet: Uint8Array, info: AudioInfo): void {
		this.headers.push(packet);
		if (this.headers.length < headerCount(info.codec as "opus" | "vorbis")) return;
		const codec = readHeaders(this.headers);
		if (!codec) throw broken("the headers of its sound are incomplete");
		const setup = (info.layout as OggLayout).headers[1];
		const alike = codec.channels === info.channels && codec.rate === info.sampleRate;
		if (!alike || (setup !== undefined && setup !== toBase64(this.headers[2] as Uint8Array))) {
			throw codedDifferently();
		}
		this.codec = codec;
		this.time = codec.timer();
	}

	/** Seconds heard: the last granule position cuts off what the coder padded, and no more than its own page may hold. */
	seconds(lastGranule: number): number {
		const codec = this.codec as OggCodec;
		const end = lastGranule - (this.firstGranule ?? 0);
		const isPadded = lastGranule >= 0 && end >= this.samplesBefore - PADDING_SECONDS * codec.rate;
		const heard = isPadded ? Math.min(this.samples, end) : this.samples;
		return Math.max(0, heard - codec.preSkip) / codec.rate;
	}
}

/**
 * Walks the packets of all links. The position of a packet is [its page, its number among the packets beginning there]; for
 * Vorbis it is that of the packet before, which a decoder needs to give sound from the first sample on.
 */
export async function scanOgg(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as OggLayout;
	let link = new Link(layout.serial);
	let before = 0;
	let lastGranule = -1;
	let previous: Position = [0, 0];
	const finishLink = () => {
		if (link.codec) before += link.seconds(lastGranule);
	};
	const takePacket = (position: Position, head: number, size: number, data: Uint8Array | null) => {
		if (!link.codec) {
			if (data) link.takeHeader(data, info);
			return;
		}
		const codec = link.codec;
		const samples = (link.time as (head: number, size: number) => number)(head, size);
		const seconds = before + Math.max(0, link.samples - codec.preSkip) / codec.rate;
		const duration = samples / codec.rate;
		const from = codec.codec === "vorbis" && link.samples > 0 ? previous : position;
		visitor.add(from[0], from[1], size, seconds, duration, rateLevel(size, duration || 0.02));
		link.samples += samples;
		previous = position;
	};
	let open: { position: Position; head: number; size: number; pieces: Uint8Array[] } | undefined;
	await walk(source, 0, source.size, (bytes, offset, last) => {
		let at = 0;
		while (at + 27 <= bytes.length) {
			const page = readPage(bytes, at);
			if (!page) {
				at++;
				continue;
			}
			if (!isWholePage(bytes, at, page)) {
				if (!last) return at;
				break;
			}
			// A stream that begins after others have been heard is the next link of a chain.
			const begun = page.begins && link.codec ? soundOf(bytes.subarray(page.body, at + page.size)) : null;
			if (begun !== null && begun !== info.codec) throw codedDifferently();
			if (begun !== null) {
				finishLink();
				link = new Link(page.serial);
				lastGranule = -1;
				open = undefined;
			}
			if (page.serial === link.serial) {
				const samplesBefore = link.samples;
				for (const { start, end, number, isLast } of pageRuns(bytes, page)) {
					if (number !== null || !open) {
						open = { position: [offset + at, number ?? 0], head: 0, size: 0, pieces: [] };
					}
					if (open.size < 2 && end > start) open.head = u16le(bytes, start);
					open.size += end - start;
					if (!link.codec) {
						if (open.size > MAX_HEADER_BYTES) throw broken("the headers of its sound are too long");
						open.pieces.push(bytes.slice(start, end));
					}
					if (!isLast) continue;
					takePacket(open.position, open.head, open.size, link.codec ? null : concat(open.pieces));
					open = undefined;
				}
				if (link.codec && page.granule >= 0) {
					link.firstGranule ??= Math.max(0, page.granule - link.samples);
					lastGranule = page.granule;
					link.samplesBefore = samplesBefore;
				}
			}
			at += page.size;
		}
		return at;
	});
	finishLink();
	return { end: [source.size, 0], endSeconds: before };
}

const codedDifferently = () =>
	new UnsupportedAudio("unsupported_codec", "The file is a chain of recordings that are coded differently.");

const isSound = (bytes: Uint8Array, at: number, codec: string) =>
	identify(bytes.subarray(at, at + 64)) === codec;

/** The packets from one position to another. */
export async function readOgg(
	source: AudioSource,
	info: AudioInfo,
	from: Position,
	to: Position,
): Promise<SoundPacket[]> {
	const codec = info.codec as "opus" | "vorbis";
	const timer = readHeaders(headersOf(info, from))?.timer();
	if (!timer) throw broken("the headers of its sound are incomplete");
	const packets: SoundPacket[] = [];
	let samples = 0;
	const pages = await readPages(source, from[0], to[0], usualPageBytes(info));
	for (const data of packetsBetween(pages, from, to, codec)) {
		if (packets.length >= MAX_CHUNK_PACKETS) throw broken("it consists of too many parts");
		const added = timer(u16le(data, 0), data.length);
		packets.push({ data, seconds: samples / info.sampleRate, duration: added / info.sampleRate });
		samples += added;
	}
	return packets;
}

/** An Ogg file of packets that begin at `from`. */
export function oggFile(
	info: AudioInfo,
	from: Position,
	packets: readonly SoundPacket[],
): Uint8Array<ArrayBuffer> {
	const { serial } = info.layout as OggLayout;
	return oggStream(serial, info.sampleRate, headersOf(info, from), packets);
}

/** An Ogg file of one stream. */
export function oggStream(
	serial: number,
	rate: number,
	headers: readonly Uint8Array[],
	packets: readonly SoundPacket[],
): Uint8Array<ArrayBuffer> {
	const writer = new OggWriter(serial, rate);
	for (const header of headers) writer.header(header);
	for (const { data, duration } of packets) writer.packet(data, Math.round(duration * rate));
	return writer.finish();
}

/** Only the start of the recording has samples to drop. */
function headersOf(info: AudioInfo, from: Position): Uint8Array[] {
	const { headers, start, preSkip } = info.layout as OggLayout;
	const codec = info.codec as "opus" | "vorbis";
	return sliceHeaders(codec, headers.map(fromBase64), from[0] <= start ? preSkip : 0);
}

function usualPageBytes({ durationSeconds, sizeBytes }: AudioInfo): number {
	const bytes = durationSeconds ? (USUAL_PAGE_SECONDS * sizeBytes) / durationSeconds : MAX_PAGE_BYTES;
	return Math.ceil(Math.min(MAX_PAGE_BYTES, bytes + MAX_PAGE_HEADER_BYTES));
}

/** Whole pages, up to and including the one at `to`, which has about `pageBytes`. */
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
	// For Vorbis `to` is the packet before the border, which still belongs to this piece.
	const extra = codec === "vorbis" ? 1 : 0;
	for (let at = 0; at + 27 <= bytes.length; ) {
		const page = readPage(bytes, at);
		if (!page || !isWholePage(bytes, at, page)) {
			at++;
			continue;
		}
		if (page.begins && serial !== undefined && isSound(bytes, page.body, codec)) {
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
