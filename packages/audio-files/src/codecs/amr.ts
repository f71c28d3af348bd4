import { ascii, u8 } from "../bytes.ts";
import type { FrameFormat } from "./frames.ts";
import { SILENT, SPEECH } from "./loudness.ts";

type AmrCodec = "amr_nb" | "amr_wb";

/** Sample rate, frame sizes by frame type without the header, and the number of types that contain speech (RFC 4867, 5.3). */
const AMR = {
	amr_nb: { rate: 8000, sizes: [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, 0, 0, 0, 0], speechTypes: 8 },
	amr_wb: { rate: 16000, sizes: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 5, 0, 0, 0, 0, 0], speechTypes: 9 },
} as const;

const frameType = (b: Uint8Array, at: number): number => (u8(b, at) >> 3) & 15;

/** Creates the format of frames of 20 ms whose size follows from their type. */
function amrFrames(codec: AmrCodec): FrameFormat {
	const { rate, sizes } = AMR[codec];
	return {
		headerBytes: 1,
		needsConfirmation: false,
		read(b, at) {
			const kind = frameType(b, at);
			const size = 1 + (sizes[kind] as number);
			return { size, meanSize: size, samples: rate / 50, rate, channels: 1, kind };
		},
		level: (b, at) => amrLevel(codec, b, at),
	};
}

/** Returns the level of a frame by its type: silence descriptors and empty frames contain no speech. */
export const amrLevel = (codec: AmrCodec, b: Uint8Array, at = 0): number =>
	frameType(b, at) < AMR[codec].speechTypes ? SPEECH : SILENT;

export const amrNarrowFrames = amrFrames("amr_nb");
export const amrWideFrames = amrFrames("amr_wb");

export const AMR_MAGIC = { amr_nb: "#!AMR\n", amr_wb: "#!AMR-WB\n" } as const;

/** Identifies the codec by the magic number of a file. Returns null for AMR with several channels. */
export function identifyAmr(head: Uint8Array): AmrCodec | null {
	if (ascii(head, 0, 9) === AMR_MAGIC.amr_wb) return "amr_wb";
	return ascii(head, 0, 6) === AMR_MAGIC.amr_nb ? "amr_nb" : null;
}
