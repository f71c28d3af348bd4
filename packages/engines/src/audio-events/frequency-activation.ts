/// <reference path="./fourier-transform.d.ts" />
import spectrumOf from "fourier-transform";

/** Supported sample rates. Only frequencies below 4 kHz count, so that telephone calls are judged like other audio. */
export const SAMPLE_RATES = [8000, 16_000] as const;
export type SampleRate = (typeof SAMPLE_RATES)[number];

/** Number of spectrum bins. Each is 7.8 Hz wide. */
export const BINS = 500;
const FRAMES_PER_SECOND = 32;
const FRAME_SECONDS = 0.128;
/** Bins on each side that a bin is compared with. */
const NEIGHBOURS = 10;
/** Decibels by which a prominent bin exceeds the mean around it. */
const PROMINENCE_DB = 8;
/** Level in dB of full scale below which a bin counts as silent. */
const FLOOR_DB = -85;

/** Number of frames in a second, and in how many of them each bin was prominent. */
export type Activation = { frames: number; counts: Uint8Array };

/**
 * Yields, for each second, which frequencies stand out of their surroundings and for how long. Frames are Hann windows of 128 ms that overlap by
 * three quarters. See Seyerlehner, Pohle, Schedl and Widmer, Automatic music detection in television productions, DAFx 2007.
 * @param samples one channel of 16-bit samples.
 */
export function* activations(samples: Int16Array, rate: SampleRate): Generator<Activation> {
	const size = rate * FRAME_SECONDS;
	const hop = rate / FRAMES_PER_SECOND;
	const hann = Float64Array.from(
		{ length: size },
		(_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size),
	);
	const frame = new Float64Array(size);
	const spectrum = new Float64Array(size / 2);
	const levels = new Float64Array(BINS + NEIGHBOURS);
	let second: Activation = { frames: 0, counts: new Uint8Array(BINS) };
	for (let from = 0; from + size <= samples.length; from += hop) {
		for (let at = 0; at < size; at++)
			frame[at] = ((samples[from + at] as number) / 0x8000) * (hann[at] as number);
		spectrumOf(frame, spectrum);
		for (let bin = 0; bin < levels.length; bin++)
			levels[bin] = Math.max(FLOOR_DB, 20 * Math.log10((spectrum[bin] as number) + 1e-9));
		countProminent(levels, second.counts);
		second.frames++;
		if (second.frames < FRAMES_PER_SECOND) continue;
		yield second;
		second = { frames: 0, counts: new Uint8Array(BINS) };
	}
	if (second.frames > 0) yield second;
}

/** Counts the prominent bins by a running mean. At the lower edge the mean covers fewer bins. */
function countProminent(levels: Float64Array, counts: Uint8Array): void {
	let sum = 0;
	let width = 0;
	for (let bin = 0; bin < NEIGHBOURS; bin++, width++) sum += levels[bin] as number;
	for (let bin = 0; bin < BINS; bin++) {
		sum += levels[bin + NEIGHBOURS] as number;
		if (bin > NEIGHBOURS) sum -= levels[bin - NEIGHBOURS - 1] as number;
		else width++;
		if ((levels[bin] as number) - sum / width > PROMINENCE_DB) counts[bin] = (counts[bin] as number) + 1;
	}
}
