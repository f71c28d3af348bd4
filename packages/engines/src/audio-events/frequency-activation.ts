/// <reference path="./fourier-transform.d.ts" />
import spectrumOf from "fourier-transform";

/** What is looked at ends below 4 kHz, so that a telephone call is judged as everything else is. */
export const SAMPLE_RATES = [8000, 16_000] as const;
export type SampleRate = (typeof SAMPLE_RATES)[number];

/** Of the spectrum: each bin is 7.8 Hz wide. */
export const BINS = 500;
const FRAMES_A_SECOND = 32;
const FRAME_SECONDS = 0.128;
/** On each side of a bin: its surroundings are 21 bins, itself among them. */
const NEIGHBOURS = 10;
/** By how many decibels a bin stands out of its surroundings. */
const PROMINENCE_DB = 8;
/** Of full scale: what is fainter is nothing. */
const FLOOR_DB = -85;

/** In how many frames of a second each bin stood out. */
export type Activation = { frames: number; counts: Uint8Array };

/**
 * Which frequencies stand out of their surroundings, and for how long: one answer a second. Frames are Hann windows of
 * 128 ms, four to a window's length. After Seyerlehner, Pohle, Schedl and Widmer, Automatic music detection in television
 * productions, DAFx 2007.
 * @param samples one channel of 16 bits.
 */
export function* activations(samples: Int16Array, rate: SampleRate): Generator<Activation> {
	const size = rate * FRAME_SECONDS;
	const hop = rate / FRAMES_A_SECOND;
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
		if (second.frames < FRAMES_A_SECOND) continue;
		yield second;
		second = { frames: 0, counts: new Uint8Array(BINS) };
	}
	if (second.frames > 0) yield second;
}

/** The mean of the surroundings moves along with the bin; at the lower edge it is that of what there is. */
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
