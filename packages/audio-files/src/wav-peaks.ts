import { bytesSource } from "./audio-source.ts";
import { PeakMeter } from "./peaks.ts";
import { probe } from "./probe.ts";

/** Samples that are mixed at a time. */
const BLOCK_FRAMES = 4096;

/**
 * Measures the peaks of a WAV file of 16-bit samples, its channels mixed. Returns undefined for any other file, which must be
 * decoded first.
 */
export async function peaksOfWav(
	bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	const { layout, channels, sampleRate } = await probe(bytesSource(bytes));
	if (layout.kind !== "wav" || layout.sampleFormat !== "s16") return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset + layout.start, layout.end - layout.start);
	const frames = Math.floor(view.byteLength / (2 * channels));
	const meter = new PeakMeter(sampleRate);
	const block = new Int16Array(BLOCK_FRAMES);
	for (let from = 0; from < frames; from += BLOCK_FRAMES) {
		const count = Math.min(BLOCK_FRAMES, frames - from);
		for (let frame = 0; frame < count; frame++) {
			let sum = 0;
			const at = 2 * channels * (from + frame);
			for (let channel = 0; channel < channels; channel++) sum += view.getInt16(at + 2 * channel, true);
			block[frame] = sum / channels;
		}
		meter.add(block.subarray(0, count));
	}
	return meter.peaks();
}
