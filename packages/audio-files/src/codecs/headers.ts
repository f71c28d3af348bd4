import { ascii, concat, latin1, u8, u16le, u32le } from "../bytes.ts";
import { opusSamples } from "./opus.ts";
import { vorbisModes, vorbisTimer } from "./vorbis.ts";

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

/** The codec that the first packet of a stream names; null when it is none that can be timed. */
export function identify(packet: Uint8Array): "opus" | "vorbis" | null {
	if (ascii(packet, 0, 8) === "OpusHead" && packet.length >= 19) return "opus";
	return ascii(packet, 0, 7) === "\x01vorbis" && packet.length >= 30 ? "vorbis" : null;
}

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

/** How many header packets a stream begins with. */
export const headerCount = (codec: "opus" | "vorbis") => (codec === "opus" ? 2 : 3);
