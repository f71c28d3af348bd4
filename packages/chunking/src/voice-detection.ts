import type { VoiceRules } from "./levels.ts";
import type { Span } from "./spans.ts";

/** Voiced and silent spans of a chunk, in seconds from its start. */
export type VoiceDetection = {
	durationSeconds: number;
	/** Spans that may contain speech. Null if the levels of the codec do not tell speech from pauses. */
	voiced: Span[] | null;
	/** Spans without any audible sound, each at least `MIN_SILENCE_SECONDS` long. Words in there are hallucinated. */
	silent: Span[];
	/** True if the whole chunk is silent, so that no engine is needed. Never true by a coder's judgement alone. */
	isSilent: boolean;
};

/** Resolution of the level grid. */
export const CELL_SECONDS = 0.05;
export const MIN_SILENCE_SECONDS = 1;

/** Cells over which levels are averaged. Shorter dips are closures inside words. */
const SMOOTH_CELLS = 3;
/** Minimum duration of a pause. Shorter ones belong to the speech around them. */
const MIN_PAUSE_SECONDS = 0.3;
/** Minimum duration of a voiced span. Shorter ones are clicks. */
const MIN_VOICE_SECONDS = 0.1;
/** Quantiles of the cells of a chunk that give its noise floor and its loud level. */
const [FLOOR_QUANTILE, LOUD_QUANTILE] = [0.05, 0.98];
/** Position of the threshold between the two, from 0 to 1. */
const THRESHOLD = 0.35;
/** Maximum share of cells without a readable level. */
const MAX_UNREADABLE_SHARE = 0.1;
/** Maximum number of cells: a day. Packets beyond it are damaged. */
const MAX_CELLS = 24 * 3600 * (1 / CELL_SECONDS);

/** Collects levels of consecutive packets on a grid of cells. A packet that spans several cells counts in each by its share. */
export class LevelTrack {
	private sums = new Float64Array(4096);
	private weights = new Float64Array(4096);
	private seconds = 0;

	/** Adds a packet. `level` is null if it cannot be read. */
	add(level: number | null, duration: number): void {
		const from = this.seconds;
		const to = from + Math.max(0, duration);
		this.seconds = to;
		if (level === null || to > MAX_CELLS * CELL_SECONDS) return;
		this.grow(Math.ceil(to / CELL_SECONDS));
		let cell = Math.floor(from / CELL_SECONDS);
		for (let at = from; at < to; cell++) {
			const until = Math.min(to, (cell + 1) * CELL_SECONDS);
			const part = until - at;
			if (part <= 0) continue;
			this.sums[cell] = (this.sums[cell] as number) + level * part;
			this.weights[cell] = (this.weights[cell] as number) + part;
			at = until;
		}
	}

	get durationSeconds(): number {
		return this.seconds;
	}

	/** Returns the mean level of each cell, or null where no level was readable. */
	cells(): (number | null)[] {
		const count = Math.min(MAX_CELLS, Math.round(this.seconds / CELL_SECONDS));
		const cells: (number | null)[] = [];
		for (let cell = 0; cell < count; cell++) {
			const weight = this.weights[cell] ?? 0;
			cells.push(weight > CELL_SECONDS / 4 ? (this.sums[cell] as number) / weight : null);
		}
		return cells;
	}

	private grow(cells: number): void {
		// Keeps one spare cell, because rounding may begin the next.
		if (cells < this.sums.length) return;
		const [sums, weights] = [this.sums, this.weights];
		this.sums = new Float64Array(2 * cells);
		this.weights = new Float64Array(2 * cells);
		this.sums.set(sums);
		this.weights.set(weights);
	}
}

/**
 * Detects voiced and silent spans by level alone.
 *
 * The threshold lies between the chunk's own noise floor and its loud level, so that it fits quiet and noisy recordings alike. If the two are
 * too close together, `voiced` is null.
 */
export function detectVoice(track: LevelTrack, rules: VoiceRules | null): VoiceDetection {
	const { durationSeconds } = track;
	if (!rules) return { durationSeconds, voiced: null, silent: [], isSilent: false };
	const { scale } = rules;
	const levels = track.cells().map((cell) => (cell === null || !scale ? cell : scale(cell)));
	const silence = silenceLevel(levels, rules);
	const silent = levels.map((level) => level !== null && level <= silence);
	const isSilent = levels.length > 0 && silent.every(Boolean);
	return {
		durationSeconds,
		voiced: isSilent ? [] : voicedSpans(levels, rules, durationSeconds),
		silent: spansOf(silent, durationSeconds).filter((span) => span.end - span.start >= MIN_SILENCE_SECONDS),
		isSilent: isSilent && rules.judgedByCoder !== true,
	};
}

/** Returns the maximum level of silence. In a quiet recording it is lower, so that faint speech does not count as silence. */
function silenceLevel(
	levels: readonly (number | null)[],
	{ silence, headroom, deepSilence }: VoiceRules,
): number {
	const sorted = Float64Array.from(levels.filter((level) => level !== null)).sort();
	const loud = sorted[Math.floor(0.95 * sorted.length)] ?? 0;
	return Math.max(deepSilence, Math.min(silence, loud - headroom));
}

function voicedSpans(levels: readonly (number | null)[], rules: VoiceRules, seconds: number): Span[] | null {
	const unreadable = levels.filter((level) => level === null).length;
	if (levels.length === 0 || unreadable > levels.length * MAX_UNREADABLE_SHARE) return null;
	const found = findThreshold(
		levels.map((level) => level ?? rules.silence),
		rules,
	);
	if (!found) return null;
	const sounds = spansOf(
		found.levels.map((level) => level > found.at),
		seconds,
	);
	return bridge(sounds.filter((span) => span.end - span.start > MIN_VOICE_SECONDS - CELL_SECONDS / 2));
}

/** Returns smoothed levels, and the level above which there is speech. Returns null if there is no clear threshold. */
function findThreshold(
	levels: readonly number[],
	{ threshold, needsPauses, minContrast, minLoud = Number.NEGATIVE_INFINITY, maxContrast }: VoiceRules,
): { levels: number[]; at: number } | null {
	if (threshold !== undefined) {
		if (needsPauses && levels.every((level) => level > threshold)) return null;
		return { levels: smooth(levels.map((level) => (level > threshold ? 1 : 0))), at: 0.5 };
	}
	const smoothed = smooth(levels);
	const sorted = Float64Array.from(smoothed).sort();
	const loud = sorted[Math.floor(LOUD_QUANTILE * (sorted.length - 1))] as number;
	const floor = Math.max(sorted[Math.floor(FLOOR_QUANTILE * sorted.length)] as number, loud - maxContrast);
	if (loud < minLoud || loud - floor < minContrast) return null;
	return { levels: smoothed, at: floor + THRESHOLD * (loud - floor) };
}

/** Joins spans with only a short pause between them. */
function bridge(spans: readonly Span[]): Span[] {
	const bridged: Span[] = [];
	for (const span of spans) {
		const last = bridged.at(-1);
		if (last && span.start - last.end < MIN_PAUSE_SECONDS) last.end = span.end;
		else bridged.push({ ...span });
	}
	return bridged;
}

/** Returns the running mean. The ends are averaged over fewer cells. */
function smooth(cells: readonly number[]): number[] {
	const half = SMOOTH_CELLS >> 1;
	return cells.map((_, index) => {
		const [from, to] = [Math.max(0, index - half), Math.min(cells.length, index + half + 1)];
		let sum = 0;
		for (let cell = from; cell < to; cell++) sum += cells[cell] as number;
		return sum / (to - from);
	});
}

/** Converts runs of true cells to spans. */
function spansOf(cells: readonly boolean[], seconds: number): Span[] {
	const spans: Span[] = [];
	for (let from = 0; from < cells.length; ) {
		let to = from + 1;
		while (to < cells.length && cells[to] === cells[from]) to++;
		if (cells[from]) {
			const end = to === cells.length ? seconds : to * CELL_SECONDS;
			spans.push({ start: from * CELL_SECONDS, end });
		}
		from = to;
	}
	return spans;
}
