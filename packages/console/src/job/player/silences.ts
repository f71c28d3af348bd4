import type { Span } from "./player.ts";

const LEAST_SILENCE_S = 1;
/** Sound that is kept on both sides, so that no word loses its edge. */
const MARGIN_S = 0.2;
/** Share of the loud parts' level below which there is silence, and the least such level. */
const [QUIET, LEAST_LEVEL] = [0.06, 3];

/** Finds stretches without sound by the peaks, on all channels at once. */
export function findSilences(channels: readonly Uint8Array[], peaksPerSecond: number): Span[] {
	const [first] = channels;
	if (!first) return [];
	const peaks = first.map((peak, at) => Math.max(peak, ...channels.slice(1).map((other) => other[at] ?? 0)));
	const limit = Math.max(LEAST_LEVEL, loudLevel(peaks) * QUIET);
	const silences: Span[] = [];
	let from = 0;
	for (let at = 0; at <= peaks.length; at++) {
		if (at < peaks.length && (peaks[at] ?? 0) < limit) continue;
		const length = (at - from) / peaksPerSecond;
		if (length >= LEAST_SILENCE_S)
			silences.push({ start: from / peaksPerSecond + MARGIN_S, end: at / peaksPerSecond - MARGIN_S });
		from = at + 1;
	}
	return silences;
}

/** Level that one in twenty peaks exceeds. */
function loudLevel(peaks: Uint8Array): number {
	const counts = new Uint32Array(256);
	for (const peak of peaks) counts[peak] = (counts[peak] ?? 0) + 1;
	let above = 0;
	for (let level = 255; level > 0; level--) {
		above += counts[level] ?? 0;
		if (above > peaks.length / 20) return level;
	}
	return 0;
}
