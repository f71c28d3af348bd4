import { u8 } from "../bytes.ts";
import { SILENT } from "./loudness.ts";

/**
 * Reads from a Vorbis setup header whether each mode uses long blocks (1) or short ones (0). Returns null if it finds no modes.
 *
 * The modes are at the end of the header, so they are read backwards. A mode is a flag, 32 zero bits and a mapping number; their
 * count precedes the first.
 */
export function vorbisModes(setup: Uint8Array): number[] | null {
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

/** Creates a function that returns the number of samples of each packet, which depends on the packet before. */
export function vorbisTimer(
	blocks: [number, number],
	modes: readonly number[],
): (firstBytes: number, size: number) => number {
	const bits = modes.length > 1 ? 32 - Math.clz32(modes.length - 1) : 0;
	let previous = 0;
	return (firstBytes, size) => {
		if (size === 0 || firstBytes & 1) return 0;
		const mode = (firstBytes >> 1) & ((1 << bits) - 1);
		const block = blocks[modes[mode] === 1 ? 1 : 0];
		const samples = previous === 0 ? 0 : (previous + block) / 4;
		previous = block;
		return samples;
	};
}

/** Returns the level of a packet without a floor, which is silent. Null for others: their size follows tones and noise, not loudness. */
export const vorbisVoiceLevel = (packet: Uint8Array): number | null => (packet.length <= 2 ? SILENT : null);
