import { concat } from "@parley/bytes/concat";
import { ascii, latin1, u8, u16le, u32le } from "../bytes.ts";
import { opusSamples } from "./opus.ts";
import { vorbisModes, vorbisTimer } from "./vorbis.ts";

/** Content of the header packets of an Opus or Vorbis stream. */
export type StreamHeaders = {
	codec: "opus" | "vorbis";
	channels: number;
	/** Rate of granule positions. Always 48000 for Opus. */
	rate: number;
	/** Samples at the start that a player decodes and drops. */
	preSkip: number;
	/**
	 * Creates a function that returns the number of samples of a packet, given its first two bytes (little-endian) and its size. It
	 * keeps state, so packets must come in order.
	 */
	timer(): (firstBytes: number, size: number) => number;
};

/** Identifies the codec by the first packet of a stream. Returns null if it is neither Opus nor Vorbis. */
export function identifyCodec(packet: Uint8Array): "opus" | "vorbis" | null {
	if (ascii(packet, 0, 8) === "OpusHead" && packet.length >= 19) return "opus";
	return ascii(packet, 0, 7) === "\x01vorbis" && packet.length >= 30 ? "vorbis" : null;
}

/** Reads the header packets of a stream: all of them, in order. Returns null if they are invalid. */
export function readStreamHeaders(packets: readonly Uint8Array[]): StreamHeaders | null {
	const first = packets[0] ?? new Uint8Array(0);
	if (identifyCodec(first) === "opus") {
		return {
			codec: "opus",
			channels: u8(first, 9),
			rate: 48000,
			preSkip: u16le(first, 10),
			timer: () => opusSamples,
		};
	}
	const setup = packets[2];
	if (identifyCodec(first) !== "vorbis" || !setup || ascii(setup, 0, 7) !== "\x05vorbis") return null;
	const blocks: [number, number] = [1 << (u8(first, 28) & 15), 1 << (u8(first, 28) >> 4)];
	const modes = vorbisModes(setup);
	if (!modes) return null;
	return {
		codec: "vorbis",
		channels: u8(first, 11),
		rate: u32le(first, 12),
		preSkip: 0,
		timer: () => vorbisTimer(blocks, modes),
	};
}

/** Returns header packets for a slice, without comments and with its own `preSkip`. */
export function headersForSlice(
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

/** Returns the number of header packets of a stream. */
export const headerCount = (codec: "opus" | "vorbis") => (codec === "opus" ? 2 : 3);
