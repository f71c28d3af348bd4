import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";

/** A part of the recording that is recognised separately. */
export interface Utterance {
	/** Start in the recording, in samples. */
	offset: number;
	samples: Int16Array<ArrayBuffer>;
}

const MIN_SAMPLES = 6 * SAMPLE_RATE;
const MAX_SAMPLES = 14 * SAMPLE_RATE;
const FRAME = SAMPLE_RATE / 50;
const PAUSE_FRAMES = 15;
/** Penalty in decibels for a pause at the edge, so that of two similar pauses the one nearer to the middle is chosen. */
const EDGE_PENALTY_DB = 1;
/** Loudness below which there is no speech, in dB of full scale (RMS of the loudest frame). */
const SILENCE_DB = -65;

/**
 * Divides a recording into utterances of 6 to 14 s at its quietest points, as the samples arrive. The last one may be shorter. Utterances have no
 * gaps or overlaps, except that silent ones are omitted.
 */
export function* cutUtterances(blocks: Iterable<Int16Array>): Generator<Utterance, { length: number }> {
	const held = new Int16Array(MAX_SAMPLES);
	let count = 0;
	let offset = 0;
	const cut = (length: number): Utterance => {
		const utterance = { offset, samples: held.slice(0, length) };
		held.copyWithin(0, length, count);
		count -= length;
		offset += length;
		return utterance;
	};
	for (const block of blocks) {
		for (let taken = 0; taken < block.length; ) {
			const part = block.subarray(taken, taken + MAX_SAMPLES - count);
			held.set(part, count);
			taken += part.length;
			count += part.length;
			if (count < MAX_SAMPLES) break;
			const utterance = cut(MIN_SAMPLES + quietestPoint(held.subarray(MIN_SAMPLES)));
			if (!isSilent(utterance.samples)) yield utterance;
		}
	}
	const last = cut(count);
	if (!isSilent(last.samples)) yield last;
	return { length: offset };
}

/** Returns the middle of the quietest 0.3 s, in samples. */
export function quietestPoint(samples: Int16Array): number {
	const levels = frameLevels(samples);
	const middle = levels.length / 2;
	let quietest = Number.POSITIVE_INFINITY;
	let at = middle;
	for (let first = 0; first + PAUSE_FRAMES <= levels.length; first++) {
		const centre = first + PAUSE_FRAMES / 2;
		const level = mean(levels.subarray(first, first + PAUSE_FRAMES));
		const score = level + (EDGE_PENALTY_DB * Math.abs(centre - middle)) / middle;
		if (score < quietest) {
			quietest = score;
			at = centre;
		}
	}
	return Math.round(at * FRAME);
}

/** Reports whether no frame is loud enough to be speech. */
export function isSilent(samples: Int16Array): boolean {
	return frameLevels(samples).every((level) => level < SILENCE_DB);
}

/** Returns the loudness of each 20 ms in dB of full scale, without an incomplete last frame. */
function frameLevels(samples: Int16Array): Float64Array {
	const levels = new Float64Array(Math.floor(samples.length / FRAME));
	for (let frame = 0; frame < levels.length; frame++) {
		let energy = 0;
		for (const sample of samples.subarray(frame * FRAME, (frame + 1) * FRAME)) energy += sample * sample;
		levels[frame] = 10 * Math.log10(energy / FRAME / 32_768 ** 2 + 1e-10);
	}
	return levels;
}

function mean(values: Float64Array): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
