import { concat } from "@parley/bytes/concat";
import { ascii, u8, u32le, u64le } from "../../bytes.ts";

/** Header of a page of an Ogg stream (RFC 3533, 6). */
export type OggPage = {
	serial: number;
	/** Number of the page in its stream. */
	sequence: number;
	/** Samples up to the end of the last packet that ends on the page. -1 if none does. */
	granule: number;
	/** True if the page begins with the rest of a packet. */
	continued: boolean;
	/** True on the first page of a stream. */
	begins: boolean;
	/** True on the last page of a stream. */
	ends: boolean;
	/** Offsets of the segment table and the body in the bytes given. */
	table: number;
	body: number;
	segments: number;
	/** Size of the page in bytes. */
	size: number;
};

const HEADER_BYTES = 27;
export const MAX_PAGE_HEADER_BYTES = HEADER_BYTES + 255;
export const MAX_PAGE_BYTES = MAX_PAGE_HEADER_BYTES + 255 * 255;

/** Reads the header of the page at `at`. Returns null if there is none. The page may end beyond the bytes. */
export function readPage(b: Uint8Array, at: number): OggPage | null {
	if (ascii(b, at, 4) !== "OggS" || u8(b, at + 4) !== 0) return null;
	const segments = u8(b, at + 26);
	const table = at + HEADER_BYTES;
	let body = 0;
	for (let index = 0; index < segments; index++) body += u8(b, table + index);
	const flags = u8(b, at + 5);
	const high = u32le(b, at + 10);
	return {
		serial: u32le(b, at + 14),
		sequence: u32le(b, at + 18),
		granule: high === 0xffffffff ? -1 : u64le(b, at + 6),
		continued: (flags & 1) !== 0,
		begins: (flags & 2) !== 0,
		ends: (flags & 4) !== 0,
		table,
		segments,
		body: table + segments,
		size: HEADER_BYTES + segments + body,
	};
}

/** Reports whether the bytes contain the complete page at `at`. */
export const isWholePage = (b: Uint8Array, at: number, page: OggPage): boolean =>
	at + HEADER_BYTES <= b.length && at + page.size <= b.length;

/** A packet, or the part of it on one page, at [start, end) of the bytes given. */
export type OggRun = {
	start: number;
	end: number;
	/** Number among the packets that begin on the page. Null if the packet continues from the page before. */
	number: number | null;
	/** True if the packet ends on the page. */
	isLast: boolean;
};

/** Yields the packets and parts of packets on a page. */
export function* pageRuns(b: Uint8Array, page: OggPage): Generator<OggRun> {
	let start = page.body;
	let end = start;
	let number = page.continued ? null : 0;
	for (let index = 0; index < page.segments; index++) {
		const lace = u8(b, page.table + index);
		end += lace;
		const isLast = lace < 255;
		if (!isLast && index < page.segments - 1) continue;
		yield { start, end, number, isLast };
		start = end;
		number = (number ?? -1) + 1;
	}
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
	let crc = byte << 24;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
	return crc >>> 0;
});

function checksum(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) crc = ((crc << 8) ^ (CRC[((crc >>> 24) ^ byte) & 255] as number)) >>> 0;
	return crc;
}

/** Writes packets into pages of at most `maxSamples` samples and 255 segments. */
export class OggWriter {
	private readonly pages: Uint8Array[] = [];
	private sequence = 0;
	private granule = 0;
	private open: { packets: Uint8Array[]; laces: number[]; samples: number } = {
		packets: [],
		laces: [],
		samples: 0,
	};
	private readonly serial: number;
	private readonly maxSamples: number;

	constructor(serial: number, maxSamples: number) {
		this.serial = serial;
		this.maxSamples = maxSamples;
	}

	/** Writes a header packet, which gets its own pages. */
	header(packet: Uint8Array): void {
		this.packet(packet, 0);
		this.flush(false);
	}

	/** Writes a packet that adds `samples` to the granule position. */
	packet(packet: Uint8Array, samples: number): void {
		const laces = Math.floor(packet.length / 255) + 1;
		const { open } = this;
		if (
			open.packets.length > 0 &&
			(open.laces.length + laces > 255 || open.samples + samples > this.maxSamples)
		) {
			this.flush(false);
		}
		this.open.packets.push(packet);
		for (let index = 0; index < laces - 1; index++) this.open.laces.push(255);
		this.open.laces.push(packet.length % 255);
		this.open.samples += samples;
	}

	/** Ends the stream and returns the file. */
	finish(): Uint8Array<ArrayBuffer> {
		this.flush(true);
		return concat(this.pages);
	}

	private flush(last: boolean): void {
		const { packets, laces, samples } = this.open;
		this.granule += samples;
		const body = concat(packets);
		// A packet of more than 255 segments spans several pages. Only the last has a granule position.
		for (let lace = 0, at = 0; lace < laces.length || (last && lace === 0); lace += 255) {
			const table = laces.slice(lace, lace + 255);
			const size = table.reduce((sum, value) => sum + value, 0);
			const final = lace + 255 >= laces.length;
			this.page(table, body.subarray(at, at + size), lace > 0, final, last && final);
			at += size;
		}
		this.open = { packets: [], laces: [], samples: 0 };
	}

	private page(table: number[], body: Uint8Array, continued: boolean, final: boolean, last: boolean): void {
		const page = new Uint8Array(HEADER_BYTES + table.length + body.length);
		const view = new DataView(page.buffer);
		page.set([0x4f, 0x67, 0x67, 0x53], 0);
		page[5] = (continued ? 1 : 0) | (this.sequence === 0 ? 2 : 0) | (last ? 4 : 0);
		view.setBigUint64(6, final ? BigInt(this.granule) : 0xffffffffffffffffn, true);
		view.setUint32(14, this.serial, true);
		view.setUint32(18, this.sequence++, true);
		page[26] = table.length;
		page.set(table, HEADER_BYTES);
		page.set(body, HEADER_BYTES + table.length);
		view.setUint32(22, checksum(page), true);
		this.pages.push(page);
	}
}
