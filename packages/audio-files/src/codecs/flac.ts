import { BitReader, u8, u16, u32 } from "../bytes.ts";
import { UnsupportedAudio } from "../unsupported-audio.ts";

export const STREAM_INFO_BYTES = 34;
export const MAX_HEADER_BYTES = 16;

export function readStreamInfo(body: Uint8Array): {
	sampleRate: number;
	channels: number;
	totalSamples: number;
} {
	const bits = new BitReader(body, 10);
	const sampleRate = bits.read(20);
	const channels = bits.read(3) + 1;
	bits.skip(5);
	return { sampleRate, channels, totalSamples: bits.read(36) };
}

export type FlacFrame = {
	samples: number;
	/** Its own; where lengths vary, that of its first sample. */
	number: number;
	variable: boolean;
	/** Samples a second; null where the description of the stream tells. */
	rate: number | null;
	headerBytes: number;
};

/** By its code in a frame's header. */
const RATES = [null, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
/** What the next codes count in, with the number behind them. */
const KILOHERTZ = 12;
const TENS_OF_HERTZ = 14;

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80 ? 0x07 : 0);
	return crc;
});

/** A frame header (RFC 9639, 9.1), or null when there is none at this place. */
export function readHeader(b: Uint8Array, at: number): FlacFrame | null {
	if (u8(b, at) !== 0xff || (u8(b, at + 1) & 0xfe) !== 0xf8) return null;
	const blockCode = u8(b, at + 2) >> 4;
	const rateCode = u8(b, at + 2) & 15;
	if (blockCode === 0 || rateCode === 15 || (u8(b, at + 3) & 1) === 1 || u8(b, at + 3) >> 4 > 10) return null;
	let place = at + 4;
	const lead = u8(b, place++);
	const more = lead < 0x80 ? 0 : Math.clz32(~(lead << 24)) - 1;
	if (lead >= 0x80 && (more < 1 || more > 6)) return null;
	let number = more === 0 ? lead : lead & (0x3f >> more);
	for (let index = 0; index < more; index++) number = number * 64 + (u8(b, place++) & 0x3f);
	let samples = blockCode === 1 ? 192 : blockCode < 6 ? 576 << (blockCode - 2) : 256 << (blockCode - 8);
	if (blockCode === 6) samples = u8(b, place++) + 1;
	if (blockCode === 7) {
		samples = u16(b, place) + 1;
		place += 2;
	}
	const written =
		rateCode === KILOHERTZ ? 1000 * u8(b, place) : u16(b, place) * (rateCode === TENS_OF_HERTZ ? 10 : 1);
	const rate = rateCode < KILOHERTZ ? (RATES[rateCode] as number | null) : written;
	place += rateCode === KILOHERTZ ? 1 : rateCode > KILOHERTZ ? 2 : 0;
	if (place >= b.length) return null;
	let crc = 0;
	for (let index = at; index < place; index++) crc = CRC8[crc ^ u8(b, index)] as number;
	if (crc !== u8(b, place)) return null;
	return { samples, number, variable: u8(b, at + 1) === 0xf9, rate, headerBytes: place + 1 - at };
}

/** Samples of the frame that begins here; 0 when none does. */
export const flacFrameSamples = (frame: Uint8Array): number => readHeader(frame, 0)?.samples ?? 0;

/** Behind this much without a next frame some are damaged, and any later frame will do. */
const LOST_BYTES = 1024 * 1024;

/** Whether a header is the one right after `frame`: frames count themselves, or their samples. */
export const isNext = ({ number, samples, variable, rate }: FlacFrame, next: FlacFrame): boolean =>
	next.variable === variable && next.rate === rate && next.number === number + (variable ? samples : 1);

/** Whether a header can be the one after `frame`, so many bytes behind its beginning. */
const follows = (frame: FlacFrame, next: FlacFrame, distance: number): boolean =>
	distance > LOST_BYTES
		? next.variable === frame.variable && next.number > frame.number
		: isNext(frame, next);

/** What a FLAC file begins with: "fLaC" and the header of STREAMINFO, which may be the last of its metadata. */
const MAGIC = 0x664c6143;
const LETTER_F = 0x66;

/** Another file behind the first counts its frames anew, so that those of its beginning would be taken for damage. */
function requireOne(bytes: Uint8Array, until: number): void {
	for (let at = bytes.indexOf(LETTER_F); at !== -1 && at < until; at = bytes.indexOf(LETTER_F, at + 1)) {
		if (u32(bytes, at) !== MAGIC || (u32(bytes, at + 4) & 0x7fffffff) !== STREAM_INFO_BYTES) continue;
		throw new UnsupportedAudio(
			"unsupported_container",
			"The file is several FLAC files one behind the other, which are to be sent one by one.",
		);
	}
}

/** Finds frames. Their length is not written anywhere: a frame ends where a valid header with the next number begins. */
export class FlacWalker {
	private current: { frame: FlacFrame; offset: number } | undefined;
	private readonly visit: (offset: number, bytes: number, samples: number) => void;

	constructor(visit: (offset: number, bytes: number, samples: number) => void) {
		this.visit = visit;
	}

	/**
	 * Returns how many bytes were used; with `last` nothing comes behind.
	 * @throws UnsupportedAudio where another file begins.
	 */
	feed(bytes: Uint8Array, offset: number, last: boolean): number {
		const limit = last ? bytes.length : bytes.length - MAX_HEADER_BYTES;
		requireOne(bytes, limit);
		let at = 0;
		while (at < limit) {
			at = bytes.indexOf(0xff, at);
			if (at === -1 || at >= limit) break;
			const frame = readHeader(bytes, at);
			const { current } = this;
			if (frame && (!current || follows(current.frame, frame, offset + at - current.offset))) {
				this.finish(offset + at);
				this.current = { frame, offset: offset + at };
				at += frame.headerBytes;
			} else at++;
		}
		return Math.max(0, limit);
	}

	/** Ends the frame at hand. */
	finish(until: number): void {
		if (this.current)
			this.visit(this.current.offset, until - this.current.offset, this.current.frame.samples);
		this.current = undefined;
	}
}
