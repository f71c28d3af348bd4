import { ascii, u8 } from "../bytes.ts";
import { amrLevel } from "../levels.ts";
import type { FrameFormat } from "./frames.ts";

const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, 0, 0, 0, 0];
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 5, 0, 0, 0, 0, 0];

const amrFrames = (sizes: readonly number[], rate: number): FrameFormat => ({
	headerBytes: 1,
	confirm: false,
	read: (b, at) => {
		const type = (u8(b, at) >> 3) & 15;
		const size = 1 + (sizes[type] as number);
		return { size, mean: size, samples: rate / 50, rate, channels: 1, kind: type };
	},
	level: (_b, _at, _size, frame) => amrLevel(rate === 16000 && frame.kind === 8 ? 0 : frame.kind),
});

/** Frames of 20 ms whose size follows from their type (RFC 4867, 5.3). */
export const amrNarrowFrames = amrFrames(NARROW, 8000);
export const amrWideFrames = amrFrames(WIDE, 16000);

export const AMR_MAGIC = { amr_nb: "#!AMR\n", amr_wb: "#!AMR-WB\n" } as const;

/** The codec that the magic number at the start of a file names; null for multi-channel AMR. */
export function amrCodec(head: Uint8Array): "amr_nb" | "amr_wb" | null {
	if (ascii(head, 0, 9) === AMR_MAGIC.amr_wb) return "amr_wb";
	return ascii(head, 0, 6) === AMR_MAGIC.amr_nb ? "amr_nb" : null;
}
