import { ascii, latin1, u8, u16le, u32le } from "../bytes.ts";
import { concat } from "../source.ts";

/** What the header packets of a stream tell: how to time its packets. */
export type OggCodec = {
	codec: "opus" | "vorbis";
	channels: number;
	/** Rate of granule positions: 48000 for Opus, whatever the input was. */
	rate: number;
	/** Samples at the start that are decoded but not heard. */
	preSkip: number;
	/** Header packets as read: two for Opus, three for Vorbis. */
	headerCount: 2 | 3;
	/** Samples by which a packet, seen by its first byte, moves the position on. Keeps state: give packets in order. */
	timer(): (firstByte: number, size: number) => number;
};

export const NAMES: [string, string][] = [
	["\x7fFLAC", "FLAC in Ogg"],
	["Speex   ", "Speex"],
	["\x80theora", "Theora video"],
	["CELT", "CELT"],
	["fishead", "no sound"],
];

/** The codec that the first packet of a stream names; null when it is none that can be timed. */
export function identify(packet: Uint8Array): "opus" | "vorbis" | null {
	if (ascii(packet, 0, 8) === "OpusHead" && packet.length >= 19) return "opus";
	return ascii(packet, 0, 7) === "\x01vorbis" && packet.length >= 30 ? "vorbis" : null;
}

/** Names what the first packet of a stream says that it sounds by; null for video, or for what is not known. */
export function soundOf(packet: Uint8Array): string | null {
	const known = NAMES.find(([magic]) => ascii(packet, 0, magic.length) === magic)?.[1];
	return identify(packet) ?? (known !== undefined && !isSilent(known) ? known : null);
}

/** Whether a name of `NAMES` is one of a stream without sound. */
export const isSilent = (name: string): boolean => /video|no sound/.test(name);

/** Reads the header packets of a stream: all of them, in order. Null when they are not what they should be. */
export function readHeaders(packets: readonly Uint8Array[]): OggCodec | null {
	const first = packets[0] ?? new Uint8Array(0);
	if (identify(first) === "opus") {
		return {
			codec: "opus",
			channels: u8(first, 9),
			rate: 48000,
			preSkip: u16le(first, 10),
			headerCount: 2,
			timer: () => opusSamples,
		};
	}
	const setup = packets[2];
	if (identify(first) !== "vorbis" || !setup || ascii(setup, 0, 7) !== "\x05vorbis") return null;
	const blocks: [number, number] = [1 << (u8(first, 28) & 15), 1 << (u8(first, 28) >> 4)];
	const modes = vorbisModes(setup);
	if (!modes) return null;
	return {
		codec: "vorbis",
		channels: u8(first, 11),
		rate: u32le(first, 12),
		preSkip: 0,
		headerCount: 3,
		timer: () => vorbisTimer(blocks, modes),
	};
}

const OPUS_FRAME = [
	480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 480, 960, 120, 240, 480, 960,
	120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960,
];

/**
 * Samples at 48 kHz of an Opus packet by its first byte (RFC 6716, 3.1). Packets with any number of frames (code 3) give
 * their count in the second byte, which comes in the upper half of `bytes`.
 */
export function opusSamples(bytes: number, size: number): number {
	if (size === 0) return 0;
	const toc = bytes & 255;
	const frame = OPUS_FRAME[toc >> 3] as number;
	const code = toc & 3;
	return frame * (code === 0 ? 1 : code < 3 ? 2 : (bytes >> 8) & 63);
}

/**
 * Long or short block for each mode of a Vorbis setup header. The modes stand at its end, so they are found backwards: a mode
 * is a flag, 32 zero bits and a mapping number; before the first stands their count.
 */
function vorbisModes(setup: Uint8Array): number[] | null {
	const bit = (index: number) => (u8(setup, index >> 3) >> (index & 7)) & 1;
	const number = (at: number, bits: number) => {
		let value = 0;
		for (let index = bits - 1; index >= 0; index--) value = value * 2 + bit(at + index);
		return value;
	};
	let end = setup.length * 8 - 1;
	while (end > 0 && bit(end) === 0) end--;
	// `end` is the framing bit.
	const flags: number[] = [];
	let found: number[] | null = null;
	for (let at = end - 41; at > 7 * 8 + 6 && flags.length < 64; at -= 41) {
		if (number(at + 1, 32) !== 0 || number(at + 33, 8) > 63) break;
		flags.unshift(bit(at));
		if (number(at - 6, 6) + 1 === flags.length) found = [...flags];
	}
	return found;
}

function vorbisTimer(
	blocks: [number, number],
	modes: readonly number[],
): (firstByte: number, size: number) => number {
	const bits = modes.length > 1 ? 32 - Math.clz32(modes.length - 1) : 0;
	let previous = 0;
	return (firstByte, size) => {
		if (size === 0 || firstByte & 1) return 0;
		const mode = (firstByte >> 1) & ((1 << bits) - 1);
		const block = blocks[modes[mode] === 1 ? 1 : 0];
		const samples = previous === 0 ? 0 : (previous + block) / 4;
		previous = block;
		return samples;
	};
}

/** Header packets for a slice, with the comments left out and the samples to drop set anew. */
export function sliceHeaders(
	codec: "opus" | "vorbis",
	headers: readonly Uint8Array[],
	preSkip: number,
): Uint8Array[] {
	const vendor = latin1("parley");
	const comments = concat([Uint8Array.of(vendor.length, 0, 0, 0), vendor, Uint8Array.of(0, 0, 0, 0)]);
	const first = (headers[0] as Uint8Array).slice();
	if (codec === "opus") {
		new DataView(first.buffer).setUint16(10, preSkip, true);
		return [first, concat([latin1("OpusTags"), comments])];
	}
	return [first, concat([latin1("\x03vorbis"), comments, Uint8Array.of(1)]), headers[1] as Uint8Array];
}
