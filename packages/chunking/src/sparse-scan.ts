import type { AudioSource } from "@parley/audio-files/audio-source";
import { type PacketRange, type SeekIndex, timeOf } from "@parley/audio-files/seek-index";
import { concat } from "@parley/bytes/concat";
import type { CutFinder } from "./cuts.ts";

/** Minimum and maximum bytes to read at once. */
const [MIN_BYTES, MAX_BYTES] = [2 * 1024, 4 * 1024 * 1024];
/** Maximum number of guesses per boundary. */
const MAX_GUESSES = 8;
/** Minimum duration to read around a boundary, besides the overlap. */
const MIN_SECONDS = 0.5;
/** Part of the wanted window that may be missing at either end. */
const MAX_MISSING_SECONDS = 0.3;
/** Number and duration of the samples before the first boundary of a file whose duration nothing confirms. */
const [SAMPLES, SAMPLE_SECONDS] = [4, 2.5];
/** Timestamps in milliseconds are a little off. */
const ROUNDING_SECONDS = 0.01;
/** Maximum share of the file to read. Beyond it a full scan is as good. */
const MAX_SHARE = 0.5;
/** Factor by which the bytes between two reads may exceed the density of the reads. */
const MAX_DENSITY = 1.25;

/** Bytes that may still be read. */
type ReadBudget = { bytes: number };
/** A file offset and its time. */
type Point = { at: number; seconds: number };

/**
 * Finds the boundaries by reading only the packets around each.
 *
 * Where the bit rate varies, the offset of a time is a guess. A boundary near enough to the target is accepted there. Returns false if
 * anything that was read contradicts the seek index; then only a full scan can tell what the file contains.
 */
export async function sparseScan(
	source: AudioSource,
	seekIndex: SeekIndex,
	finder: CutFinder,
): Promise<boolean> {
	const density = new Density(seekIndex);
	const budget = { bytes: MAX_SHARE * source.size };
	let known: Point = { at: seekIndex.start, seconds: 0 };
	const isLastChunk = () =>
		finder.wanted.until + finder.overlapSeconds / 2 > seekIndex.durationSeconds &&
		seekIndex.end - known.at <= finder.remainingBytes;
	while (!isLastChunk()) {
		const range = await seekBoundary(source, seekIndex, finder, known, budget);
		if (!range) return false;
		const { from, until } = timeOf(range);
		const next = { at: range.start, seconds: from };
		const isFirst = known.at === seekIndex.start;
		if (isFirst && !(await samplesAreEven(source, seekIndex, density, next, budget))) return false;
		density.add(known, next, range);
		finder.skip(seekIndex.first, range.start - known.at, known.seconds);
		if (!finder.cutAmong(range.packets)) return false;
		known = { at: range.end, seconds: until };
	}
	const end = { at: seekIndex.end, seconds: seekIndex.durationSeconds };
	const hasNoBoundary = known.at === seekIndex.start;
	if (hasNoBoundary && !(await samplesAreEven(source, seekIndex, density, end, budget))) return false;
	density.add(known, end);
	finder.skip(seekIndex.first, seekIndex.end - known.at, known.seconds);
	return seekIndex.isConfirmed || density.isEven;
}

/**
 * Samples the file before the first boundary, if nothing confirms its duration. A recording that ends there, with another one
 * behind it, shows nowhere else; after the first boundary it would make times fall. Returns false if the bit rate is uneven.
 */
async function samplesAreEven(
	source: AudioSource,
	seekIndex: SeekIndex,
	density: Density,
	to: Point,
	budget: ReadBudget,
): Promise<boolean> {
	if (seekIndex.isConfirmed) return true;
	let known: Point = { at: seekIndex.start, seconds: 0 };
	const rate = rateBetween(known, to);
	const length = Math.max(MIN_BYTES, Math.ceil(SAMPLE_SECONDS * rate));
	for (let index = 1; index <= SAMPLES; index++) {
		const at = Math.floor(seekIndex.start + ((to.at - seekIndex.start) * index) / (SAMPLES + 1));
		if (at < known.at) continue;
		const range = await readRange(source, seekIndex, { at, length, minSeconds: MIN_SECONDS, rate }, budget);
		if (!range) return false;
		const { from, until } = timeOf(range);
		density.add(known, { at: range.start, seconds: from }, range);
		known = { at: range.end, seconds: until };
	}
	if (known.at < to.at) density.add(known, to);
	return density.isEven;
}

/** Reads the packets around the wanted boundary, or near enough to it. Returns null if the guesses do not get there. */
async function seekBoundary(
	source: AudioSource,
	seekIndex: SeekIndex,
	finder: CutFinder,
	known: Point,
	budget: ReadBudget,
): Promise<PacketRange | null> {
	const { from, until } = finder.wanted;
	const target = (from + until) / 2;
	const minSeconds = Math.min(until - from, finder.overlapSeconds + MIN_SECONDS);
	let [low, high]: [Point, Point] = [known, { at: seekIndex.end, seconds: seekIndex.durationSeconds }];
	const rate = rateBetween(low, high);
	const length = Math.max(MIN_BYTES, Math.ceil((until - from) * rate));
	for (let guess = 0; guess < MAX_GUESSES; guess++) {
		const latest = Math.min(seekIndex.end, known.at + finder.remainingBytes) - length;
		if (latest < known.at || !(high.seconds > low.seconds)) return null;
		const wanted = Math.round(low.at + (target - low.seconds) * rateBetween(low, high) - length / 2);
		const at = Math.max(known.at, Math.min(wanted, latest));
		const range = await readRange(source, seekIndex, { at, length, minSeconds, rate }, budget);
		if (!range) return null;
		const found = timeOf(range);
		if (found.from < known.seconds - ROUNDING_SECONDS) return null;
		if (found.until > seekIndex.durationSeconds + MIN_SECONDS) return null;
		const coversWindow =
			found.from <= from + MAX_MISSING_SECONDS && found.until >= until - MAX_MISSING_SECONDS;
		const middle = (found.from + found.until) / 2;
		if (coversWindow || finder.retarget(middle, at === latest)) return range;
		if (middle < target) low = { at: range.end, seconds: found.until };
		else high = { at: range.start, seconds: found.from };
	}
	return null;
}

/**
 * Reads about `length` bytes of packets, or as many more as it takes to get `minSeconds`. Each further read adds at least half of what
 * there is, because all bytes are parsed again.
 */
async function readRange(
	source: AudioSource,
	seekIndex: SeekIndex,
	{ at, length, minSeconds, rate }: { at: number; length: number; minSeconds: number; rate: number },
	budget: ReadBudget,
): Promise<PacketRange | null> {
	let bytes = new Uint8Array(0);
	for (let more = length; more > 0 && bytes.length + more <= MAX_BYTES; ) {
		const from = at + bytes.length;
		budget.bytes -= more;
		if (budget.bytes < 0) return null;
		bytes = concat([bytes, await source.read(from, Math.min(seekIndex.end, from + more))]);
		const range = seekIndex.read(bytes, at);
		if (!range) return null;
		const { from: begin, until } = timeOf(range);
		if (until - begin >= minSeconds) return range;
		const missing = Math.ceil((minSeconds - until + begin) * rate);
		more = Math.min(seekIndex.end - at - bytes.length, Math.max(MIN_BYTES, missing, bytes.length >> 1));
	}
	return null;
}

/** Bytes per second between two points. */
const rateBetween = (low: Point, high: Point): number => (high.at - low.at) / (high.seconds - low.seconds);

/** Compares the bytes per second of the reads with those between them. A file hidden in between would make the latter larger. */
class Density {
	private read = 0;
	private between = 0;

	constructor({ ends }: SeekIndex) {
		for (const range of ends) this.addRead(range);
	}

	/** Adds the bytes between two points, and the range that was read at the second. */
	add(from: Point, to: Point, range?: PacketRange): void {
		const seconds = Math.max(MIN_SECONDS, to.seconds - from.seconds);
		this.between = Math.max(this.between, (to.at - from.at) / seconds);
		if (range) this.addRead(range);
	}

	get isEven(): boolean {
		return this.between <= MAX_DENSITY * this.read;
	}

	private addRead(range: PacketRange): void {
		const { from, until } = timeOf(range);
		if (until - from < MIN_SECONDS) return;
		this.read = Math.max(this.read, (range.end - range.start) / (until - from));
	}
}
