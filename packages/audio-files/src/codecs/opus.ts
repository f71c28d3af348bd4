import { u8 } from "../bytes.ts";
import { BACKGROUND, SILENT, SPEECH } from "./loudness.ts";

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
 * What an Opus packet says of itself. In the modes that hold speech its first bit is the coder's own voice detector (RFC
 * 6716, 4.2.3); packets of three bytes or less a frame hold nothing. Null for the mode made for music, whose size
 * follows tones and noise rather than loudness.
 */
export function opusVoice(packet: Uint8Array): number | null {
	const [toc, code] = [u8(packet, 0), u8(packet, 0) & 3];
	const frames = code === 0 ? 1 : code < 3 ? 2 : u8(packet, 1) & 63;
	if (packet.length <= 1 + 2 * frames) return SILENT;
	if (toc >> 3 >= 16) return null;
	return u8(packet, firstOpusFrame(packet, code)) & 0x80 ? SPEECH : BACKGROUND;
}

/** Where the first frame begins behind the counts and lengths (RFC 6716, 3.2). */
function firstOpusFrame(packet: Uint8Array, code: number): number {
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
