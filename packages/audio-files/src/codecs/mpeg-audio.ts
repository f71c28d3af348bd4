import { ascii, BitReader, u8, u16, u32 } from "../bytes.ts";
import type { Frame, FrameFormat } from "./frames.ts";
import { GAIN_DB, SILENT } from "./loudness.ts";

const KBPS_V1_L3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBPS_V1_L2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const KBPS_V1_L1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448];
const KBPS_V2_L1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256];
const KBPS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44100, 48000, 32000];

/** Frames of MPEG-1, 2 and 2.5 audio, all three layers (ISO 11172-3, 2.4.2.3), except those of free bit rate. */
export const mpegFrames: FrameFormat = {
	headerBytes: 4,
	needsConfirmation: true,
	read(b, at): Frame | null {
		if (u8(b, at) !== 0xff || (u8(b, at + 1) & 0xe0) !== 0xe0) return null;
		const version = (u8(b, at + 1) >> 3) & 3;
		const layer = 4 - ((u8(b, at + 1) >> 1) & 3);
		const bitrateIndex = u8(b, at + 2) >> 4;
		const rateIndex = (u8(b, at + 2) >> 2) & 3;
		if (version === 1 || layer === 4 || bitrateIndex === 0 || bitrateIndex === 15 || rateIndex === 3)
			return null;
		const mpeg1 = version === 3;
		const rate = (RATES[rateIndex] as number) >> (mpeg1 ? 0 : version === 2 ? 1 : 2);
		const padding = (u8(b, at + 2) >> 1) & 1;
		const bps = (kbpsTable(mpeg1, layer)[bitrateIndex] as number) * 1000;
		const samples = layer === 1 ? 384 : layer === 3 && !mpeg1 ? 576 : 1152;
		const meanSize = ((samples / 8) * bps) / rate;
		const size = layer === 1 ? (Math.floor(meanSize / 4) + padding) * 4 : Math.floor(meanSize) + padding;
		return { size, meanSize, samples, rate, channels: u8(b, at + 3) >> 6 === 3 ? 1 : 2, kind: layer };
	},
	level: (b, at, _size, frame) => (frame.kind === 3 ? mp3Level(b, at) : null),
	isMetadata: (b, at, frame) => frame.kind === 3 && readFrameCount(b, at, frame) !== null,
};

function kbpsTable(mpeg1: boolean, layer: number): readonly number[] {
	if (layer === 1) return mpeg1 ? KBPS_V1_L1 : KBPS_V2_L1;
	if (!mpeg1) return KBPS_V2;
	return layer === 2 ? KBPS_V1_L2 : KBPS_V1_L3;
}

/**
 * Reads the number of frames from a Xing, Info or VBRI frame, which contains no audio. Returns 0 if the frame omits the number, and
 * null for a frame with audio.
 */
export function readFrameCount(b: Uint8Array, at: number, frame: Frame): number | null {
	const mpeg1 = (u8(b, at + 1) & 0x18) === 0x18;
	const side = mpeg1 ? (frame.channels === 1 ? 17 : 32) : frame.channels === 1 ? 9 : 17;
	const xing = at + 4 + side;
	const tag = ascii(b, xing, 4);
	if (tag === "Xing" || tag === "Info") return u32(b, xing + 4) & 1 ? u32(b, xing + 8) : 0;
	return ascii(b, at + 36, 4) === "VBRI" && u16(b, at + 40) === 1 ? u32(b, at + 50) : null;
}

/** Returns the level of a layer III frame: the highest `global_gain` of its granules and channels (ISO 11172-3, 2.4.1.7). */
export function mp3Level(frame: Uint8Array, at: number): number {
	const mpeg1 = (u8(frame, at + 1) & 0x18) === 0x18;
	const mono = u8(frame, at + 3) >> 6 === 3;
	const checked = (u8(frame, at + 1) & 1) === 0;
	const channels = mono ? 1 : 2;
	const bits = new BitReader(frame, at + 4 + (checked ? 2 : 0));
	if (mpeg1) bits.skip(9 + (mono ? 5 : 3) + 4 * channels);
	else bits.skip(8 + (mono ? 1 : 2));
	let level = SILENT;
	for (let granule = 0; granule < (mpeg1 ? 2 : 1) * channels; granule++) {
		const coded = bits.read(12);
		const bigValues = bits.read(9);
		const gain = bits.read(8);
		bits.skip((mpeg1 ? 4 : 9) + 1 + 22 + (mpeg1 ? 3 : 2));
		if (bigValues > 0 || coded >= 8) level = Math.max(level, (gain - 210) * GAIN_DB);
	}
	return level;
}
