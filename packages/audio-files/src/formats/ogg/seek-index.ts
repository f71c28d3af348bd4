import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { fromBase64, u16le } from "../../bytes.ts";
import { type OggCodec, readHeaders, sliceHeaders } from "../../codecs/headers.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import { MAX_CHUNK_PACKETS, type Position } from "../../packets.ts";
import type { Clock, Stretch } from "../../seek-index.ts";
import type { OggLayout } from "./open.ts";
import { isWholePage, MAX_PAGE_BYTES, type OggPage, pageRuns, readPage } from "./pages.ts";

/** What is read at either end: more where pages are larger. */
const END_BYTES = [12 * 1024, 3 * MAX_PAGE_BYTES];

/** What "OggS" begins with. */
const LETTER_O = 0x4f;

type Packet = { position: Position; size: number; head: number };
/** A page at its place in the file, with the packets that end on it and of which all is at hand. */
type Found = OggPage & { at: number; end: number; packets: Packet[] };

/**
 * Pages of an Ogg stream say how many samples came up to their end. All that are read have to be of one stream, one behind the
 * other, and to last as long as their packets do: what begins anew in the middle or lies next to another stream has no clock.
 */
export async function oggClock(source: AudioSource, info: AudioInfo): Promise<Clock | null> {
	const { start, end, serial, headers, preSkip } = info.layout as OggLayout;
	const name = info.codec as "opus" | "vorbis";
	const codec = readHeaders(sliceHeaders(name, headers.map(fromBase64), preSkip));
	// Without a length the file ends with another stream than it begins with.
	if (!codec || info.durationSeconds === null) return null;
	for (const length of END_BYTES) {
		const [headEnd, tailAt] = [Math.min(end, start + length), Math.max(start, end - length)];
		const head = pagesOf(await source.read(start, headEnd), start, serial);
		const tail = pagesOf(await source.read(tailAt, end), tailAt, serial);
		if (!head || !tail) return null;
		const opening = stretchOf(codec, head, end, 0);
		const closing = stretchOf(codec, tail, end, tailAt === start ? 0 : null);
		if (!opening || !closing) return null;
		if (opening.packets.length === 0 || closing.packets.length === 0) continue;
		const last = tail.at(-1) as Found;
		if (head[0]?.at !== start || head[0].continued || last.end !== end || last.granule < 0) return null;
		return {
			first: [start, 0],
			start,
			end,
			seconds: Math.max(0, last.granule - codec.preSkip) / codec.rate,
			isConfirmed: false,
			ends: [opening, closing],
			read(bytes, offset) {
				const pages = pagesOf(bytes, offset, serial);
				return pages && stretchOf(codec, pages, end, offset === start ? 0 : null);
			},
		};
	}
	return null;
}

/** The whole pages from the first on. Null when they are not of this stream alone, or not one behind the other. */
function pagesOf(bytes: Uint8Array, offset: number, serial: number): Found[] | null {
	const pages: Found[] = [];
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
 * The packets whose time is known: from the start of the stream, of which `samples` is 0, or behind a page that tells it. Null
 * when a page tells another time than its packets; only the last one may, since it says where the sound ends.
 */
function stretchOf(
	codec: OggCodec,
	pages: readonly Found[],
	fileEnd: number,
	samples: number | null,
): Stretch | null {
	const stretch: Stretch = { start: 0, end: 0, packets: [] };
	const timer = codec.timer();
	let now = samples;
	let previous: Position | null = null;
	for (const page of pages) {
		for (const { position, size, head } of page.packets) {
			const added = timer(head, size);
			if (now !== null) {
				const duration = added / codec.rate;
				stretch.packets.push({
					// A decoder of Vorbis needs the packet before.
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
		if (stretch.packets.length > 0) {
			if (stretch.start === 0) stretch.start = page.at;
			stretch.end = page.end;
		}
		if (page.granule < 0) continue;
		const isLast = page.end === fileEnd;
		if (now !== null && (isLast ? page.granule > now : page.granule !== now)) return null;
		// The length of a packet of Vorbis depends on the one before.
		if (codec.codec === "opus" || previous) now = page.granule;
	}
	return stretch;
}
