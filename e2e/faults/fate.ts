/** Numbers in [0, 1) that are the same in each run (mulberry32), so that a run which fails can be had again. */
export function seededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** One of these by weight; the rest of 1 is undefined. */
export function fate<T extends string>(random: () => number, shares: Record<T, number>): T | undefined {
	let point = random();
	for (const [name, share] of Object.entries(shares) as [T, number][]) {
		if (point < share) return name;
		point -= share;
	}
	return undefined;
}
