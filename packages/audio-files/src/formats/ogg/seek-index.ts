import { fromBase64 } from "@parley/bytes/base64";
import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { u16le } from "../../bytes.ts";
import { headersForSlice, readStreamHeaders, type StreamHeaders } from "../../codecs/headers.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import { MAX_CHUNK_PACKETS, type Position } from "../../packets.ts";
import type { PacketRange, SeekIndex } from "../../seek-index.ts";
import type { OggLayout } from "./open.ts";
import { isWholePage, MAX_PAGE_BYTES, type OggPage, pageRuns, readPage } from "./pages.ts";

/** Bytes to read at either end. The second value applies if the first holds no timed packet. */
const END_BYTES = [12 * 1024, 3 * MAX_PAGE_BYTES];

/** First byte of a page. */
const LETTER_O = 0x4f;

type Packet = { position: Position; size: number; head: number };
/** A page with its file offsets, and the packets that end on it and are complete. */
type FoundPage = OggPage & { at: number; end: number; packets: Packet[] };

/**
 * Opens the seek index of an Ogg file. Pages state how many samples precede their end. All pages that are read must belong to one
 * stream, follow each other, and last as long as their packets. Returns null otherwise, as for chained or multiplexed streams.
 */
export async function oggSeekIndex(source: AudioSource, info: AudioInfo): Promise<SeekIndex | null> {
	const { start, end, serial, headers, preSkip } = info.layout as OggLayout;
	const name = info.codec as "opus" | "vorbis";
	const codec = readStreamHeaders(headersForSlice(name, headers.map(fromBase64), preSkip));
	// A file without a duration ends with another stream than it begins with.
	if (!codec || info.durationSeconds === null) return null;
	for (const length of END_BYTES) {
		const [headEnd, tailAt] = [Math.min(end, start + length), Math.max(start, end - length)];
		const head = findPages(await source.read(start, headEnd), start, serial);
		const tail = findPages(await source.read(tailAt, end), tailAt, serial);
		if (!head || !tail) return null;
		const opening = rangeOf(codec, head, end, 0);
		const closing = rangeOf(codec, tail, end, tailAt === start ? 0 : null);
		if (!opening || !closing) return null;
		if (opening.packets.length === 0 || closing.packets.length === 0) continue;
		const last = tail.at(-1) as FoundPage;
		if (head[0]?.at !== start || head[0].continued || last.end !== end || last.granule < 0) return null;
		return {
			first: [start, 0],
			start,
			end,
			durationSeconds: Math.max(0, last.granule - codec.preSkip) / codec.rate,
			isConfirmed: false,
			ends: [opening, closing],
			read(bytes, offset) {
				const pages = findPages(bytes, offset, serial);
				return pages && rangeOf(codec, pages, end, offset === start ? 0 : null);
			},
		};
	}
	return null;
}

/** Finds complete pages. Returns null if they belong to another stream or do not follow each other. */
function findPages(bytes: Uint8Array, offset: number, serial: number): FoundPage[] | null {
	const pages: FoundPage[] = [];
	let open: Packet | null = null;
	let count = 0;
	for (let at = bytes.indexOf(LETTER_O); at !== -1 && at + 27 <= bytes.length; ) {
		const page = readPage(bytes, at);
		const previous = pages.at(-1);
		if (!page && previous) return null;
		if (!page) {
			at = bytes.indexOf(LETTER_O, at + 1);
			continue;
		}
		if (page.serial !== serial || page.begins) return null;
		if (!isWholePage(bytes, at, page)) break;
		if (previous && (page.sequence !== previous.sequence + 1 || previous.ends)) return null;
		const packets: Packet[] = [];
		for (const { start, end, number, isLast } of pageRuns(bytes, page)) {
			if (number !== null) open = { position: [offset + at, number], size: 0, head: u16le(bytes, start) };
			if (open) open.size += end - start;
			if (!isLast) continue;
			if (open) packets.push(open);
			open = null;
		}
		count += packets.length;
		if (count > MAX_CHUNK_PACKETS) return null;
		pages.push({ ...page, at: offset + at, end: offset + at + page.size, packets });
		at += page.size;
	}
	return pages;
}

/**
 * Returns the packets whose time is known: from the start of the stream, where `samples` is 0, or behind a page with a granule
 * position. Returns null if a page states another time than its packets. Only the last page may, because it states where the audio
 * ends.
 */
function rangeOf(
	codec: StreamHeaders,
	pages: readonly FoundPage[],
	fileEnd: number,
	samples: number | null,
): PacketRange | null {
	const range: PacketRange = { start: 0, end: 0, packets: [] };
	const timer = codec.timer();
	let now = samples;
	let previous: Position | null = null;
	for (const page of pages) {
		for (const { position, size, head } of page.packets) {
			const added = timer(head, size);
			if (now !== null) {
				const duration = added / codec.rate;
				range.packets.push({
					// A Vorbis decoder needs the packet before.
					position: codec.codec === "vorbis" && now > 0 && previous ? previous : position,
					bytes: size,
					seconds: Math.max(0, now - codec.preSkip) / codec.rate,
					duration,
					level: rateLevel(size, duration || 0.02),
				});
				now += added;
			}
			previous = position;
		}
		if (range.packets.length > 0) {
			if (range.start === 0) range.start = page.at;
			range.end = page.end;
		}
		if (page.granule < 0) continue;
		const isLast = page.end === fileEnd;
		if (now !== null && (isLast ? page.granule > now : page.granule !== now)) return null;
		// The duration of a Vorbis packet depends on the packet before.
		if (codec.codec === "opus" || previous) now = page.granule;
	}
	return range;
}
