import { u8 } from "../bytes.ts";
import { SILENT } from "./loudness.ts";

/**
 * Long or short block for each mode of a Vorbis setup header. The modes stand at its end, so they are found backwards: a mode
 * is a flag, 32 zero bits and a mapping number; before the first stands their count.
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

export function vorbisTimer(
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

/** A Vorbis packet without a floor is silence; of others the size tells tones and noise rather than loudness. */
export const vorbisVoice = (packet: Uint8Array): number | null => (packet.length <= 2 ? SILENT : null);
