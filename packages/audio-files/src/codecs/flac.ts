import { BitReader, u8, u16, u32 } from "../bytes.ts";
import { UnsupportedAudio } from "../unsupported-audio.ts";

export const STREAM_INFO_BYTES = 34;
export const MAX_FRAME_HEADER_BYTES = 16;

/** Reads the body of a STREAMINFO block (RFC 9639, 8.2). `totalSamples` is 0 if unknown. */
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
	/** Frame number, or the number of the first sample if the block size is variable. */
	number: number;
	hasVariableBlocks: boolean;
	/** Sample rate. Null if only STREAMINFO states it. */
	rate: number | null;
	headerBytes: number;
};

/** Sample rates by the code in a frame header. */
const RATES = [null, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
/** Codes of rates that the header states in kHz, and in tens of Hz. */
const KILOHERTZ = 12;
const TENS_OF_HERTZ = 14;

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x80 ? 0x07 : 0);
	return crc;
});

/** Reads the frame header at `at` (RFC 9639, 9.1). Returns null if there is none. */
export function readFlacFrame(b: Uint8Array, at: number): FlacFrame | null {
	if (u8(b, at) !== 0xff || (u8(b, at + 1) & 0xfe) !== 0xf8) return null;
	const blockCode = u8(b, at + 2) >> 4;
	const rateCode = u8(b, at + 2) & 15;
	if (blockCode === 0 || rateCode === 15 || (u8(b, at + 3) & 1) === 1 || u8(b, at + 3) >> 4 > 10) return null;
	let cursor = at + 4;
	const lead = u8(b, cursor++);
	const more = lead < 0x80 ? 0 : Math.clz32(~(lead << 24)) - 1;
	if (lead >= 0x80 && (more < 1 || more > 6)) return null;
	let number = more === 0 ? lead : lead & (0x3f >> more);
	for (let index = 0; index < more; index++) number = number * 64 + (u8(b, cursor++) & 0x3f);
	let samples = blockCode === 1 ? 192 : blockCode < 6 ? 576 << (blockCode - 2) : 256 << (blockCode - 8);
	if (blockCode === 6) samples = u8(b, cursor++) + 1;
	if (blockCode === 7) {
		samples = u16(b, cursor) + 1;
		cursor += 2;
	}
	const written =
		rateCode === KILOHERTZ ? 1000 * u8(b, cursor) : u16(b, cursor) * (rateCode === TENS_OF_HERTZ ? 10 : 1);
	const rate = rateCode < KILOHERTZ ? (RATES[rateCode] as number | null) : written;
	cursor += rateCode === KILOHERTZ ? 1 : rateCode > KILOHERTZ ? 2 : 0;
	if (cursor >= b.length) return null;
	let crc = 0;
	for (let index = at; index < cursor; index++) crc = CRC8[crc ^ u8(b, index)] as number;
	if (crc !== u8(b, cursor)) return null;
	return { samples, number, hasVariableBlocks: u8(b, at + 1) === 0xf9, rate, headerBytes: cursor + 1 - at };
}

/** Returns the number of samples of the frame that begins here, or 0 if none does. */
export const flacFrameSamples = (frame: Uint8Array): number => readFlacFrame(frame, 0)?.samples ?? 0;

/** Bytes without the next frame after which frames must be damaged, so that any later frame is accepted. */
const LOST_BYTES = 1024 * 1024;

/** Reports whether `next` directly follows `frame`. Frames number themselves or their samples. */
export const isNextFrame = (
	{ number, samples, hasVariableBlocks, rate }: FlacFrame,
	next: FlacFrame,
): boolean =>
	next.hasVariableBlocks === hasVariableBlocks &&
	next.rate === rate &&
	next.number === number + (hasVariableBlocks ? samples : 1);

/** Reports whether `next` may follow `frame`, `distance` bytes behind its start. */
const follows = (frame: FlacFrame, next: FlacFrame, distance: number): boolean =>
	distance > LOST_BYTES
		? next.hasVariableBlocks === frame.hasVariableBlocks && next.number > frame.number
		: isNextFrame(frame, next);

/** "fLaC", the start of a FLAC file. A STREAMINFO block follows. */
const MAGIC = 0x664c6143;
const LETTER_F = 0x66;

/** Rejects concatenated files. The second file restarts frame numbers, so its first frames would look damaged. */
function rejectSecondFile(bytes: Uint8Array, until: number): void {
	for (let at = bytes.indexOf(LETTER_F); at !== -1 && at < until; at = bytes.indexOf(LETTER_F, at + 1)) {
		if (u32(bytes, at) !== MAGIC || (u32(bytes, at + 4) & 0x7fffffff) !== STREAM_INFO_BYTES) continue;
		throw new UnsupportedAudio(
			"unsupported_container",
			"The file consists of several FLAC files. Send them one by one.",
		);
	}
}

/** Finds frames. No header states their length: a frame ends where a valid header with the next number begins. */
export class FlacWalker {
	private current: { frame: FlacFrame; offset: number } | undefined;
	private readonly visit: (offset: number, bytes: number, samples: number) => void;

	constructor(visit: (offset: number, bytes: number, samples: number) => void) {
		this.visit = visit;
	}

	/**
	 * Takes bytes in order and returns how many it used. `isLast` says that no more bytes follow.
	 * @throws UnsupportedAudio where another FLAC file begins.
	 */
	feed(bytes: Uint8Array, offset: number, isLast: boolean): number {
		const limit = isLast ? bytes.length : bytes.length - MAX_FRAME_HEADER_BYTES;
		rejectSecondFile(bytes, limit);
		let at = 0;
		while (at < limit) {
			at = bytes.indexOf(0xff, at);
			if (at === -1 || at >= limit) break;
			const frame = readFlacFrame(bytes, at);
			const { current } = this;
			if (frame && (!current || follows(current.frame, frame, offset + at - current.offset))) {
				this.finish(offset + at);
				this.current = { frame, offset: offset + at };
				at += frame.headerBytes;
			} else at++;
		}
		return Math.max(0, limit);
	}

	/** Ends the current frame at file offset `until`. */
	finish(until: number): void {
		if (this.current)
			this.visit(this.current.offset, until - this.current.offset, this.current.frame.samples);
		this.current = undefined;
	}
}
