import { u8 } from "../bytes.ts";
import { BACKGROUND, SILENT, SPEECH } from "./loudness.ts";

/** Samples per frame at 48 kHz, by the configuration number of a packet. */
const FRAME_SAMPLES = [
	480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 480, 960, 120, 240, 480, 960,
	120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960,
];

/**
 * Returns the number of samples of a packet at 48 kHz (RFC 6716, 3.1).
 * @param firstBytes first two bytes of the packet, little-endian. The second one is the frame count of some packets.
 */
export function opusSamples(firstBytes: number, size: number): number {
	if (size === 0) return 0;
	const toc = firstBytes & 255;
	const frame = FRAME_SAMPLES[toc >> 3] as number;
	const code = toc & 3;
	return frame * (code === 0 ? 1 : code < 3 ? 2 : (firstBytes >> 8) & 63);
}

/**
 * Returns the level by the coder's own voice detector, which is the first bit of a packet in the speech modes (RFC 6716, 4.2.3).
 * Packets with at most two bytes per frame are silent. Returns null for the music mode, whose packet sizes follow tones and noise
 * rather than loudness.
 */
export function opusVoiceLevel(packet: Uint8Array): number | null {
	const [toc, code] = [u8(packet, 0), u8(packet, 0) & 3];
	const frames = code === 0 ? 1 : code < 3 ? 2 : u8(packet, 1) & 63;
	if (packet.length <= 1 + 2 * frames) return SILENT;
	if (toc >> 3 >= 16) return null;
	return u8(packet, firstFrameAt(packet, code)) & 0x80 ? SPEECH : BACKGROUND;
}

/** Returns the offset of the first frame, behind the frame counts and lengths (RFC 6716, 3.2). */
function firstFrameAt(packet: Uint8Array, code: number): number {
	if (code < 2) return 1;
	const lengthBytes = (at: number) => (u8(packet, at) >= 252 ? 2 : 1);
	if (code === 2) return 1 + lengthBytes(1);
	const counts = u8(packet, 1);
	let at = 2;
	if (counts & 0x40) {
		while (u8(packet, at) === 255) at++;
		at++;
	}
	const lengths = counts & 0x80 ? (counts & 63) - 1 : 0;
	for (let index = 0; index < lengths; index++) at += lengthBytes(at);
	return at;
}
