import type { ActivityRules } from "./levels.ts";
import type { Span } from "./spans.ts";

/** Where a chunk holds sound that may be speech, in seconds from its start. */
export type Activity = {
	durationSeconds: number;
	/** Null where the levels of the codec do not tell speech from pauses. */
	voiced: Span[] | null;
	/** Nothing at all to hear, at least `MIN_SILENCE_SECONDS` long each: what is "heard" in there is invented. */
	silent: Span[];
	/** All of it is silence, and not because a coder took faint or steady sound for a pause: no engine needs to hear it. */
	empty: boolean;
};

/** Levels are gathered on a grid this fine. */
export const CELL_SECONDS = 0.05;
export const MIN_SILENCE_SECONDS = 1;

/** Three cells: shorter dips are the closures inside words. */
const SMOOTH_CELLS = 3;
/** Pauses shorter than this lie within speech. */
const BRIDGE_SECONDS = 0.3;
/** Sounds shorter than this are clicks. */
const MIN_VOICE_SECONDS = 0.1;
/** Of the cells of a chunk: what counts as its floor and as its loud places. */
const [FLOOR_SHARE, LOUD_SHARE] = [0.05, 0.98];
/** Place of the threshold between the two. */
const THRESHOLD = 0.35;
/** So much of a chunk may be unreadable. */
const MAX_UNREADABLE_SHARE = 0.1;
/** No codec's packets run on longer; a longer one is damage. */
const MAX_CELLS = 24 * 3600 * (1 / CELL_SECONDS);

/** Levels of packets in order, on a grid of cells; a packet over several cells counts in each by its part. */
export class LevelTrack {
	private sums = new Float64Array(4096);
	private weights = new Float64Array(4096);
	private seconds = 0;

	/** Null when the level of the packet cannot be read. */
	add(level: number | null, duration: number): void {
		const from = this.seconds;
		const to = from + Math.max(0, duration);
		this.seconds = to;
		if (level === null || to > MAX_CELLS * CELL_SECONDS) return;
		this.makeRoom(Math.ceil(to / CELL_SECONDS));
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

	/** Mean level of each cell; null where nothing was readable. */
	cells(): (number | null)[] {
		const count = Math.min(MAX_CELLS, Math.round(this.seconds / CELL_SECONDS));
		const cells: (number | null)[] = [];
		for (let cell = 0; cell < count; cell++) {
			const weight = this.weights[cell] ?? 0;
			cells.push(weight > CELL_SECONDS / 4 ? (this.sums[cell] as number) / weight : null);
		}
		return cells;
	}

	private makeRoom(cells: number): void {
		// One more than needed: rounding may begin the next.
		if (cells < this.sums.length) return;
		const [sums, weights] = [this.sums, this.weights];
		this.sums = new Float64Array(2 * cells);
		this.weights = new Float64Array(2 * cells);
		this.sums.set(sums);
		this.weights.set(weights);
	}
}

/**
 * Speech and silence by level alone. The threshold lies between the chunk's own noise floor and its loud places, so that a
 * quiet recording and one in noise are judged alike; where the two lie too close together nothing is said.
 */
export function activityOf(track: LevelTrack, rules: ActivityRules | null): Activity {
	const { durationSeconds } = track;
	if (!rules) return { durationSeconds, voiced: null, silent: [], empty: false };
	const { scale } = rules;
	const levels = track.cells().map((cell) => (cell === null || !scale ? cell : scale(cell)));
	const silence = silenceOf(levels, rules);
	const still = levels.map((level) => level !== null && level <= silence);
	const isStill = levels.length > 0 && still.every(Boolean);
	return {
		durationSeconds,
		voiced: isStill ? [] : voicedSpans(levels, rules, durationSeconds),
		silent: spansOf(still, durationSeconds).filter((span) => span.end - span.start >= MIN_SILENCE_SECONDS),
		empty: isStill && rules.judged !== true,
	};
}

/** In a quiet recording silence has to be deeper than elsewhere, lest faint speech pass for it. */
function silenceOf(
	levels: readonly (number | null)[],
	{ silence, headroom, deepSilence }: ActivityRules,
): number {
	const sorted = Float64Array.from(levels.filter((level) => level !== null)).sort();
	const loud = sorted[Math.floor(0.95 * sorted.length)] ?? 0;
	return Math.max(deepSilence, Math.min(silence, loud - headroom));
}

function voicedSpans(
	levels: readonly (number | null)[],
	rules: ActivityRules,
	seconds: number,
): Span[] | null {
	const unreadable = levels.filter((level) => level === null).length;
	if (levels.length === 0 || unreadable > levels.length * MAX_UNREADABLE_SHARE) return null;
	const found = thresholdOf(
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

/** Levels made smooth, and the one above which there is speech. */
function thresholdOf(
	levels: readonly number[],
	{ threshold, needsPauses, minContrast, minLoud = Number.NEGATIVE_INFINITY, maxContrast }: ActivityRules,
): { levels: number[]; at: number } | null {
	if (threshold !== undefined) {
		if (needsPauses && levels.every((level) => level > threshold)) return null;
		return { levels: smooth(levels.map((level) => (level > threshold ? 1 : 0))), at: 0.5 };
	}
	const smoothed = smooth(levels);
	const sorted = Float64Array.from(smoothed).sort();
	const loud = sorted[Math.floor(LOUD_SHARE * (sorted.length - 1))] as number;
	const floor = Math.max(sorted[Math.floor(FLOOR_SHARE * sorted.length)] as number, loud - maxContrast);
	if (loud < minLoud || loud - floor < minContrast) return null;
	return { levels: smoothed, at: floor + THRESHOLD * (loud - floor) };
}

function bridge(spans: readonly Span[]): Span[] {
	const bridged: Span[] = [];
	for (const span of spans) {
		const last = bridged.at(-1);
		if (last && span.start - last.end < BRIDGE_SECONDS) last.end = span.end;
		else bridged.push({ ...span });
	}
	return bridged;
}

/** A running mean; each end is averaged over what there is. */
function smooth(cells: readonly number[]): number[] {
	const half = SMOOTH_CELLS >> 1;
	return cells.map((_, index) => {
		const [from, to] = [Math.max(0, index - half), Math.min(cells.length, index + half + 1)];
		let sum = 0;
		for (let cell = from; cell < to; cell++) sum += cells[cell] as number;
		return sum / (to - from);
	});
}

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
