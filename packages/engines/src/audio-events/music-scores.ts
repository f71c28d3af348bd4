import { type Activation, BINS } from "./frequency-activation.ts";

/** A score is judged over a second and so many on each side of it. */
const SECONDS_AROUND = 1;
/** Rumble is below. */
const FIRST_BIN = 4;
const STRONGEST = 5;
/** In bins, between the two valleys of the narrowest peak: a wider one says less by as much. */
const NARROWEST = 4;

/**
 * How much each second sounds of music, from 0: whether a few narrow frequencies last, as tones of instruments do and those
 * of a voice do not. It is the sum of the five strongest peaks of the share of time in which each frequency stood out.
 */
export function musicScores(seconds: readonly Activation[]): number[] {
	return seconds.map((_, at) => {
		const around = seconds.slice(Math.max(0, at - SECONDS_AROUND), at + SECONDS_AROUND + 1);
		const strongest = peaksOf(sharesOf(around))
			.sort((a, b) => b - a)
			.slice(0, STRONGEST);
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

/** Each peak's height over the higher of the valleys beside it, less the wider it is. */
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
		strengths.push((height * NARROWEST) / Math.max(NARROWEST, next - valley));
		valley = next;
	}
	return strengths;
}
