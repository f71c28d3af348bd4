/** Creates a tone of half the full scale. */
export const tone =
	(hertz: number) =>
	(time: number): number =>
		Math.sin(2 * Math.PI * hertz * time) / 2;

/** Returns the samples of a 16-bit PCM file with a header of 44 bytes. */
export const samplesOf = (wav: Uint8Array): Int16Array => new Int16Array(wav.slice(44).buffer);

/** Counts zero crossings per second, which is the frequency of a tone. */
export function pitch(samples: Int16Array, rate: number): number {
	let crossings = 0;
	for (let at = 1; at < samples.length; at++)
		if ((samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0) crossings++;
	return crossings / (samples.length / rate);
}

/** Returns the highest correlation of two signals, from -1 to 1, if the second is delayed by up to `maxDelay` samples. */
export function correlation(a: Int16Array, b: Int16Array, maxDelay: number): number {
	// A few seconds, and some of their samples, are enough.
	const end = Math.min(a.length, b.length - maxDelay, 50_000);
	let best = -1;
	for (let delay = 0; delay <= maxDelay; delay++) {
		let [product, powerA, powerB] = [0, 0, 0];
		for (let at = 0; at < end; at += 7) {
			const [x, y] = [a[at] ?? 0, b[at + delay] ?? 0];
			product += x * y;
			powerA += x * x;
			powerB += y * y;
		}
		best = Math.max(best, product / Math.sqrt(powerA * powerB || 1));
	}
	return best;
}

/** Creates a repeatable generator of numbers from 0 to below `below`. */
export function randomNumbers(seed = 1): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}
