import { type Activation, BINS } from "./frequency-activation.ts";

/** Seconds on each side that contribute to the score of a second. */
const SECONDS_AROUND = 1;
/** First bin to use. Lower ones contain rumble. */
const FIRST_BIN = 4;
/** Number of peaks that make up a score. */
const PEAKS_PER_SCORE = 5;
/** Width of the narrowest peak in bins, valley to valley. A wider peak counts less in proportion. */
const MIN_PEAK_BINS = 4;

/**
 * Scores each second for music, from 0 up. Music has a few narrow frequencies that last, which a voice does not have. The score is the sum of the
 * five strongest peaks in the share of time in which each frequency was prominent.
 */
export function musicScores(seconds: readonly Activation[]): number[] {
	return seconds.map((_, at) => {
		const around = seconds.slice(Math.max(0, at - SECONDS_AROUND), at + SECONDS_AROUND + 1);
		const strongest = peaksOf(sharesOf(around))
			.sort((a, b) => b - a)
			.slice(0, PEAKS_PER_SCORE);
		return strongest.reduce((sum, strength) => sum + strength, 0);
	});
}

function sharesOf(seconds: readonly Activation[]): Float64Array {
	const shares = new Float64Array(BINS);
	let frames = 0;
	for (const second of seconds) {
		frames += second.frames;
		for (let bin = 0; bin < BINS; bin++)
			shares[bin] = (shares[bin] as number) + (second.counts[bin] as number);
	}
	return shares.map((count) => count / Math.max(1, frames));
}

/** Returns the height of each peak over the higher of its two valleys, reduced for wide peaks. */
function peaksOf(shares: Float64Array): number[] {
	const at = (bin: number) => shares[bin] as number;
	const last = BINS - 1;
	const strengths: number[] = [];
	let valley = FIRST_BIN;
	while (valley < last && at(valley + 1) <= at(valley)) valley++;
	while (valley < last) {
		let peak = valley;
		while (peak < last && at(peak + 1) >= at(peak)) peak++;
		let next = peak;
		while (next < last && at(next + 1) <= at(next)) next++;
		const height = at(peak) - Math.max(at(valley), at(next));
		strengths.push((height * MIN_PEAK_BINS) / Math.max(MIN_PEAK_BINS, next - valley));
		valley = next;
	}
	return strengths;
}
