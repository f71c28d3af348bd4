export const tone =
	(hertz: number) =>
	(time: number): number =>
		Math.sin(2 * Math.PI * hertz * time) / 2;

/** The samples of a PCM file of 16 bits with a plain header. */
export const samplesOf = (wav: Uint8Array): Int16Array => new Int16Array(wav.slice(44).buffer);

/** Zero crossings a second, which for a tone is its frequency. */
export function pitch(samples: Int16Array, rate: number): number {
	let crossings = 0;
	for (let at = 1; at < samples.length; at++)
		if ((samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0) crossings++;
	return crossings / (samples.length / rate);
}

/** How alike two sounds are, from -1 to 1, when the second may be late by up to `maxDelay` samples. */
export function likeness(a: Int16Array, b: Int16Array, maxDelay: number): number {
	// A few seconds, and some of their samples, tell as much as all of them.
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

/** The same numbers between 0 and `below` in each run. */
export function randomNumbers(seed = 1): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}
