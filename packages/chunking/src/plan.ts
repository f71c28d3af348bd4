import type { AudioInfo } from "@parley/audio-files/audio-info";
import { type AudioSource, type Budget, budgetedSource, parsing } from "@parley/audio-files/audio-source";
import type { Extents, Position, Scan } from "@parley/audio-files/packets";
import { openClock, scanPackets } from "@parley/audio-files/scan";
import { broken, UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { CutFinder, type CutRules, type Piece } from "./cuts.ts";
import { PAUSE_RULES } from "./levels.ts";
import { scanByJumps } from "./sparse-scan.ts";

export type PlanOptions = {
	/** Length that chunks have about. */
	targetSeconds?: number;
	/** No chunk is larger. */
	maxBytes?: number;
	/** Sound that neighbours share where the border is not in a pause. */
	overlapSeconds?: number;
	/** Overlap at every border, so that speakers can be matched across chunks. */
	alwaysOverlap?: boolean;
	/** Looks at all of the file, even where places in it seem to be known. */
	thorough?: boolean;
	budget?: Budget;
};

/** One part of a file; plain JSON. Times are seconds from the start of the file. */
export type PlannedChunk = {
	index: number;
	startSeconds: number;
	endSeconds: number;
	/** About; containers add a little. */
	bytes: number;
	/** The border to the next chunk: in a pause, or shared by both; `end` for the last. */
	cut: "quiet" | "overlap" | "end";
	/** Sound shared with the next chunk. */
	overlapSeconds: number;
	/** The file itself, as it is, is this chunk. */
	whole: boolean;
	/** Only its ends were looked at: that it holds no more than they say shows when it is cut out. */
	unseen: boolean;
	from: Position;
	to: Position;
	extents?: Extents;
};

export type ChunkPlan = {
	/** Sum of all packets: what to bill. */
	durationSeconds: number;
	chunks: PlannedChunk[];
	/** What is odd about the file, as sentences. */
	warnings: string[];
};

const DEFAULTS = {
	targetSeconds: 150,
	maxBytes: 16 * 1024 * 1024,
	overlapSeconds: 2.5,
	alwaysOverlap: false,
	thorough: false,
};
/** Wide where all is read anyway, narrow where the window is all that is read. */
const WINDOW_SECONDS = 5;
const NARROW_WINDOW_SECONDS = 2.5;
/** Of a smaller file jumps would leave out too little to be worth it. */
const MIN_JUMP_BYTES = 256 * 1024;
/** Of bytes a second: AAC of 576 kbit/s. */
const MAX_FRAMES_RATE = 72_000;
/** A last chunk this much over the target is better than a tiny one behind it. */
const STRETCH = 1.2;
/**
 * No sound takes fewer bytes a second, silence included; a day of it would fit into a megabyte. A clock may say more for so
 * long as it is let jump at once.
 */
const [LEAST_BYTES_PER_SECOND, FREE_SECONDS] = [16, 600];
const PLAN_BUDGET: Budget = { maxBytes: 12 * 1024 ** 3, deadlineMs: 10 * 60_000 };

type Rules = typeof DEFAULTS;
type Scanned = Scan & { pieces: Piece[]; isUnseen: boolean };

/**
 * Divides a file into chunks. Formats with an index (WAV, MP4), and those whose packets tell their time wherever one looks (Ogg,
 * FLAC, frames of constant rate), are read only at the ends and around the borders, all others once from start to end. Never
 * holds more than a few megabytes. Throws UnsupportedAudio when the file turns out to be empty, damaged or too large for one
 * chunk of a codec that cannot be cut.
 */
export async function planChunks(
	source: AudioSource,
	info: AudioInfo,
	options: PlanOptions = {},
): Promise<ChunkPlan> {
	const rules = { ...DEFAULTS, ...options };
	const { maxBytes } = rules;
	const scan = await parsing(source, async (watched) => {
		const budgeted = budgetedSource(watched, options.budget ?? PLAN_BUDGET);
		return (await jump(budgeted, info, rules).catch(unlessStorage)) ?? (await look(budgeted, info, rules));
	});
	const { pieces } = scan;
	if (pieces.length === 0 || scan.endSeconds <= 0) {
		throw new UnsupportedAudio("empty", "The file holds no sound.");
	}
	if (scan.endSeconds > FREE_SECONDS + source.size / LEAST_BYTES_PER_SECOND) {
		const hours = (scan.endSeconds / 3600).toFixed(1);
		throw broken(`it says that it lasts ${hours} hours, for which it is far too small`);
	}
	const whole = pieces.length === 1 && source.size <= maxBytes && isUsual(info);
	if (info.codec === "alac" && !whole) {
		throw new UnsupportedAudio("unsupported_codec", "Apple Lossless files of this length are not supported.");
	}
	return {
		durationSeconds: scan.endSeconds,
		warnings: warningsFor(info, scan.endSeconds),
		chunks: pieces.map((piece, index) => ({
			index,
			startSeconds: piece.startSeconds,
			endSeconds: piece.endSeconds,
			bytes: piece.bytes,
			cut: piece.cut,
			overlapSeconds: Math.max(0, piece.endSeconds - (pieces[index + 1]?.startSeconds ?? piece.endSeconds)),
			whole,
			unseen: scan.isUnseen,
			from: piece.from,
			to: piece.to,
			...(scan.extentsOf ? { extents: scan.extentsOf(piece.from, piece.to) } : {}),
		})),
	};
}

/** Whether engines take the file as it is; sound in streams and unusual containers is taken out first. */
function isUsual({ container, codec }: AudioInfo): boolean {
	if (container === "mpeg-ts" || container === "mpeg-ps") return false;
	if (container === "matroska") return codec === "opus" || codec === "vorbis";
	return container !== "mp4" || (codec !== "amr_nb" && codec !== "amr_wb");
}

/** All of the file, or what its index makes necessary. */
async function look(source: AudioSource, info: AudioInfo, rules: Rules): Promise<Scanned> {
	const { kind } = info.layout;
	const widest = kind === "wav" || kind === "mp4" ? NARROW_WINDOW_SECONDS : WINDOW_SECONDS;
	const finder = new CutFinder(cutRules(info, rules, widest, bytesPerSecond(info)));
	const scan = await scanPackets(source, info, finder);
	return { ...scan, pieces: finder.finish(scan.end, scan.endSeconds), isUnseen: false };
}

/** As little of the file as will do; null where it has no clock, or one that is not to be trusted. */
async function jump(source: AudioSource, info: AudioInfo, rules: Rules): Promise<Scanned | null> {
	if (rules.thorough || source.size < MIN_JUMP_BYTES) return null;
	const clock = await openClock(source, info);
	if (!clock || clock.seconds <= 0) return null;
	const exact = { ...info, durationSeconds: clock.seconds };
	const rate = (clock.end - clock.start) / clock.seconds;
	const finder = new CutFinder(cutRules(exact, rules, NARROW_WINDOW_SECONDS, rate));
	if (!(await scanByJumps(source, clock, finder))) return null;
	const end: Position = [clock.end, 0];
	return { end, endSeconds: clock.seconds, pieces: finder.finish(end, clock.seconds), isUnseen: true };
}

/** What trips over a file while it jumps only says that the file is to be looked through. */
function unlessStorage(error: unknown): null {
	if (error instanceof UnsupportedAudio) return null;
	throw error;
}

function cutRules(info: AudioInfo, rules: Rules, widestWindow: number, rate: number | null): CutRules {
	const { maxBytes, overlapSeconds, alwaysOverlap } = rules;
	const { sizeBytes } = info;
	return {
		...PAUSE_RULES[info.codec],
		...{ maxBytes, overlapSeconds, alwaysOverlap, sizeBytes },
		...pace(info, rules, widestWindow, rate),
	};
}

/**
 * The rate of the file is that of its sound where it holds nothing else; null where it may. The length of frames may be that
 * of the first of several files: parts as short as it makes them seem to need to be would be thousands.
 */
function bytesPerSecond({ layout, sizeBytes, durationSeconds }: AudioInfo): number | null {
	if (!durationSeconds) return null;
	const rate = sizeBytes / durationSeconds;
	if (layout.kind === "frames") return Math.min(rate, MAX_FRAMES_RATE);
	return layout.kind === "wav" ? rate : null;
}

/** Target and window: chunks of even length, short enough for the byte limit where the average rate is known. */
function pace(
	info: AudioInfo,
	{ targetSeconds, maxBytes, overlapSeconds }: Rules,
	widest: number,
	rate: number | null,
): { targetSeconds: number; windowSeconds: number } {
	const length = info.durationSeconds;
	if (!length) return { targetSeconds, windowSeconds: Math.min(widest, targetSeconds / 4) };
	const fitting = rate ? (0.9 * maxBytes) / rate : Number.POSITIVE_INFINITY;
	if (length <= targetSeconds * STRETCH && length <= fitting) {
		// One chunk, unless the file holds more than it says.
		return { targetSeconds: targetSeconds * STRETCH, windowSeconds: widest };
	}
	const wanted = Math.min(targetSeconds, fitting);
	const windowSeconds = Math.min(widest, wanted / 4);
	const most = Math.max(wanted / 2, Math.min(wanted, fitting - windowSeconds - overlapSeconds));
	const even = length / Math.max(1, Math.ceil(length / most - (STRETCH - 1)));
	return { targetSeconds: Math.min(most, even), windowSeconds };
}

/** Headers are promises: a file that holds less than its header says was cut off on the way. */
function warningsFor(info: AudioInfo, seconds: number): string[] {
	const promised = info.promisedSeconds ?? (info.container === "mpeg-audio" ? null : info.durationSeconds);
	if (promised === null || seconds > promised - 1) return [];
	return [
		`The file says that it lasts ${promised.toFixed(1)} s, but it holds ${seconds.toFixed(1)} s: it may be cut off.`,
	];
}
