import { u8, u16 } from "../bytes.ts";
import { aacLevel } from "../levels.ts";
import type { FrameFormat } from "./frames.ts";

export const AAC_RATES = [
	96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/** AAC with ADTS headers (ISO 14496-3, 1.A.2.2). */
export const adtsFrames: FrameFormat = {
	headerBytes: 7,
	confirm: true,
	read(b, at) {
		if (u8(b, at) !== 0xff || (u8(b, at + 1) & 0xf6) !== 0xf0) return null;
		const rate = AAC_RATES[(u8(b, at + 2) >> 2) & 15];
		const size = ((u8(b, at + 3) & 3) << 11) | (u16(b, at + 4) >> 5);
		if (rate === undefined || size < 8) return null;
		const channels = ((u8(b, at + 2) & 1) << 2) | (u8(b, at + 3) >> 6);
		const samples = 1024 * ((u8(b, at + 6) & 3) + 1);
		return {
			size,
			mean: null,
			samples,
			rate,
			channels: channels === 7 ? 8 : channels,
			kind: u8(b, at + 2) >> 6,
		};
	},
	level: (b, at, size) => aacLevel(b.subarray(at + adtsHeaderBytes(b, at), at + size)),
};

/** 9 with a checksum, else 7. */
export const adtsHeaderBytes = (b: Uint8Array, at: number): number => (u8(b, at + 1) & 1 ? 7 : 9);
