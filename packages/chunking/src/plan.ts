import type { AudioInfo } from "@parley/audio-files/audio-info";
import { type AudioSource, type Budget, budgetedSource, runParser } from "@parley/audio-files/audio-source";
import type { Extents, Position, Scan } from "@parley/audio-files/packets";
import { openSeekIndex, scanPackets } from "@parley/audio-files/scan";
import { broken, emptyAudio, UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { CutFinder, type CutRules, type Piece } from "./cuts.ts";
import { PAUSE_RULES } from "./levels.ts";
import { sparseScan } from "./sparse-scan.ts";

export type PlanOptions = {
	/** Approximate length of the chunks. */
	targetSeconds?: number;
	/** Maximum size of a chunk. */
	maxBytes?: number;
	/** Audio that neighbours share where the boundary is not in a pause. */
	overlapSeconds?: number;
	/** Overlaps at every boundary, so that speakers can be matched across chunks. */
	alwaysOverlap?: boolean;
	/** Reads the whole file, even if it has a seek index. */
	thorough?: boolean;
	budget?: Budget;
};

/** One part of a file, as plain JSON. Times are seconds from the start of the file. */
export type PlannedChunk = {
	index: number;
	startSeconds: number;
	endSeconds: number;
	/** Approximate size. Containers add a little. */
	bytes: number;
	/** Boundary to the next chunk: `quiet` in a pause, `overlap` if both share audio, `end` for the last chunk. */
	cut: "quiet" | "overlap" | "end";
	/** Audio shared with the next chunk. */
	overlapSeconds: number;
	/** True if the unchanged file is the chunk. */
	whole: boolean;
	/** True if only the ends of the chunk were read. Slicing then checks that it contains no more audio than planned. */
	unseen: boolean;
	from: Position;
	to: Position;
	extents?: Extents;
};

export type ChunkPlan = {
	/** Duration of all packets together, which is what to bill. */
	durationSeconds: number;
	chunks: PlannedChunk[];
	/** Sentences about oddities of the file. */
	warnings: string[];
};

const DEFAULTS = {
	targetSeconds: 150,
	maxBytes: 16 * 1024 * 1024,
	overlapSeconds: 2.5,
	alwaysOverlap: false,
	thorough: false,
};
/** Search window around a boundary: wide if the whole file is read anyway, narrow if only the window is read. */
const WINDOW_SECONDS = 5;
const NARROW_WINDOW_SECONDS = 2.5;
/** Minimum size of a file for a sparse scan. In a smaller one it would skip too little. */
const MIN_SPARSE_BYTES = 256 * 1024;
/** Maximum bytes per second of frames: AAC at 576 kbit/s. */
const MAX_FRAMES_RATE = 72_000;
/** Factor by which the last chunk may exceed the target, rather than leave a tiny one behind it. */
const MAX_STRETCH = 1.2;
/**
 * Minimum bytes per second of any audio, silence included: a day of it would fit into a megabyte and a half. Timestamps may exceed this by
 * one gap.
 */
const [MIN_BYTES_PER_SECOND, MAX_GAP_SECONDS] = [16, 600];
const PLAN_BUDGET: Budget = { maxBytes: 12 * 1024 ** 3, deadlineMs: 10 * 60_000 };

type Rules = typeof DEFAULTS;
type PlannedScan = Scan & { pieces: Piece[]; isSparse: boolean };

/**
 * Divides a file into chunks. Reads files with an index (WAV, MP4) or a seek index (Ogg, FLAC, WebM, frames of constant bit rate) only at the
 * ends and around the boundaries, and all others once from start to end. Holds a few megabytes at most.
 * @throws UnsupportedAudio if the file is empty or damaged, or too large for one chunk of a codec that cannot be cut.
 */
export async function planChunks(
	source: AudioSource,
	info: AudioInfo,
	options: PlanOptions = {},
): Promise<ChunkPlan> {
	const rules = { ...DEFAULTS, ...options };
	const { maxBytes } = rules;
	const scan = await runParser(source, async (watched) => {
		const budgeted = budgetedSource(watched, options.budget ?? PLAN_BUDGET);
		const sparse = await planSparsely(budgeted, info, rules).catch(ignoreUnsupported);
		return sparse ?? (await planFully(budgeted, info, rules));
	});
	const { pieces } = scan;
	if (pieces.length === 0 || scan.endSeconds <= 0) {
		throw emptyAudio();
	}
	if (scan.endSeconds > MAX_GAP_SECONDS + source.size / MIN_BYTES_PER_SECOND) {
		const hours = (scan.endSeconds / 3600).toFixed(1);
		throw broken(`it declares a duration of ${hours} hours, but is far too small for that`);
	}
	const whole = pieces.length === 1 && source.size <= maxBytes && isCommonFormat(info);
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
			unseen: scan.isSparse,
			from: piece.from,
			to: piece.to,
			...(scan.extentsOf ? { extents: scan.extentsOf(piece.from, piece.to) } : {}),
		})),
	};
}

/** Reports whether engines accept the unchanged file. Audio in streams and unusual containers is extracted first. */
function isCommonFormat({ container, codec }: AudioInfo): boolean {
	if (container === "mpeg-ts" || container === "mpeg-ps") return false;
	if (container === "matroska") return codec === "opus" || codec === "vorbis";
	return container !== "mp4" || (codec !== "amr_nb" && codec !== "amr_wb");
}

/** Plans by a full scan of the file, or of its index. */
async function planFully(source: AudioSource, info: AudioInfo, rules: Rules): Promise<PlannedScan> {
	const { kind } = info.layout;
	const maxWindowSeconds = kind === "wav" || kind === "mp4" ? NARROW_WINDOW_SECONDS : WINDOW_SECONDS;
	const finder = new CutFinder(cutRules(info, rules, maxWindowSeconds, bytesPerSecond(info)));
	const scan = await scanPackets(source, info, finder);
	return { ...scan, pieces: finder.finish(scan.end, scan.endSeconds), isSparse: false };
}

/** Plans by a sparse scan. Returns null if the file has no seek index, or if anything contradicts it. */
async function planSparsely(source: AudioSource, info: AudioInfo, rules: Rules): Promise<PlannedScan | null> {
	if (rules.thorough || source.size < MIN_SPARSE_BYTES) return null;
	const seekIndex = await openSeekIndex(source, info);
	if (!seekIndex || seekIndex.durationSeconds <= 0) return null;
	const exact = { ...info, durationSeconds: seekIndex.durationSeconds };
	const rate = (seekIndex.end - seekIndex.start) / seekIndex.durationSeconds;
	const finder = new CutFinder(cutRules(exact, rules, NARROW_WINDOW_SECONDS, rate));
	if (!(await sparseScan(source, seekIndex, finder))) return null;
	const end: Position = [seekIndex.end, 0];
	return {
		end,
		endSeconds: seekIndex.durationSeconds,
		pieces: finder.finish(end, seekIndex.durationSeconds),
		isSparse: true,
	};
}

/** Turns an error of the file into null, so that a full scan follows. Passes errors of the source on. */
function ignoreUnsupported(error: unknown): null {
	if (error instanceof UnsupportedAudio) return null;
	throw error;
}

function cutRules(info: AudioInfo, rules: Rules, maxWindowSeconds: number, rate: number | null): CutRules {
	const { maxBytes, overlapSeconds, alwaysOverlap } = rules;
	const { sizeBytes } = info;
	return {
		...PAUSE_RULES[info.codec],
		...{ maxBytes, overlapSeconds, alwaysOverlap, sizeBytes },
		...evenTarget(info, rules, maxWindowSeconds, rate),
	};
}

/**
 * Returns the bytes per second of the audio, or null if the file may contain other data. The duration of frames may be that of the first of
 * several files, which would make the rate seem enormous, so it is capped.
 */
function bytesPerSecond({ layout, sizeBytes, durationSeconds }: AudioInfo): number | null {
	if (!durationSeconds) return null;
	const rate = sizeBytes / durationSeconds;
	if (layout.kind === "frames") return Math.min(rate, MAX_FRAMES_RATE);
	return layout.kind === "wav" ? rate : null;
}

/** Chooses the target length and window for chunks of even length, within the byte limit if the average rate is known. */
function evenTarget(
	info: AudioInfo,
	{ targetSeconds, maxBytes, overlapSeconds }: Rules,
	maxWindowSeconds: number,
	rate: number | null,
): { targetSeconds: number; windowSeconds: number } {
	const length = info.durationSeconds;
	if (!length) return { targetSeconds, windowSeconds: Math.min(maxWindowSeconds, targetSeconds / 4) };
	const fitting = rate ? (0.9 * maxBytes) / rate : Number.POSITIVE_INFINITY;
	if (length <= targetSeconds * MAX_STRETCH && length <= fitting) {
		// One chunk, unless the file contains more audio than it declares.
		return { targetSeconds: targetSeconds * MAX_STRETCH, windowSeconds: maxWindowSeconds };
	}
	const longest = Math.min(targetSeconds, fitting);
	const windowSeconds = Math.min(maxWindowSeconds, longest / 4);
	const most = Math.max(longest / 2, Math.min(longest, fitting - windowSeconds - overlapSeconds));
	const even = length / Math.max(1, Math.ceil(length / most - (MAX_STRETCH - 1)));
	return { targetSeconds: Math.min(most, even), windowSeconds };
}

/** Warns about a file that contains less audio than its header declares, as after an interrupted upload. */
function warningsFor(info: AudioInfo, seconds: number): string[] {
	const declared = info.declaredSeconds ?? (info.container === "mpeg-audio" ? null : info.durationSeconds);
	if (declared === null || seconds > declared - 1) return [];
	return [
		`The file declares a duration of ${declared.toFixed(1)} s but contains ${seconds.toFixed(1)} s. It may be cut off.`,
	];
}
