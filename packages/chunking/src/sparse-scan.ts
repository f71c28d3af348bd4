import type { AudioSource } from "@parley/audio-files/audio-source";
import { concat } from "@parley/audio-files/bytes";
import { type Clock, type Stretch, timeOf } from "@parley/audio-files/seek-index";
import type { CutFinder } from "./cuts.ts";

/** A stretch is at least so long, and no longer, however little or much sound that is. */
const [MIN_BYTES, MAX_BYTES] = [2 * 1024, 4 * 1024 * 1024];
/** Reads for one border. */
const MAX_TRIES = 8;
/** Around a border, beside the sound that both neighbours get. */
const LEAST_SECONDS = 0.5;
/** As good as the whole window. */
const NEARLY_SECONDS = 0.3;
/** Places before the first border that are looked at where little else vouches for the clock, and how long each is. */
const [WITNESSES, WITNESS_SECONDS] = [4, 2.5];
/** Clocks that count milliseconds lie a little off. */
const ROUNDING_SECONDS = 0.01;
/** Of the file: with more it is as well to read all of it. */
const MAX_SHARE = 0.5;
/** Nowhere may much more lie between two stretches than these lead to expect. */
const MAX_DENSITY = 1.25;

/** What may still be read. */
type Room = { bytes: number };
type Place = { at: number; seconds: number };

/**
 * Finds the borders by reading only a stretch around each. Where the rate varies the place is a guess, and the border is made
 * where the guess led to, if that is near enough. False when anything read speaks against the clock: then only a pass over
 * all of the file tells what is in it.
 */
export async function scanByJumps(source: AudioSource, clock: Clock, finder: CutFinder): Promise<boolean> {
	const density = new Density(clock);
	const room = { bytes: MAX_SHARE * source.size };
	let known: Place = { at: clock.start, seconds: 0 };
	const isLast = () =>
		finder.wanted.until + finder.overlapSeconds / 2 > clock.seconds && clock.end - known.at <= finder.room;
	while (!isLast()) {
		const stretch = await land(source, clock, finder, known, room);
		if (!stretch) return false;
		const { from, until } = timeOf(stretch);
		const next = { at: stretch.start, seconds: from };
		const isFirst = known.at === clock.start;
		if (isFirst && !(await lookInside(source, clock, density, next, room))) return false;
		density.add(known, next, stretch);
		finder.pass(clock.first, stretch.start - known.at, known.seconds);
		if (!finder.settle(stretch.packets)) return false;
		known = { at: stretch.end, seconds: until };
	}
	const end = { at: clock.end, seconds: clock.seconds };
	if (known.at === clock.start && !(await lookInside(source, clock, density, end, room))) return false;
	density.add(known, end);
	finder.pass(clock.first, clock.end - known.at, known.seconds);
	return clock.isConfirmed || density.isEven;
}

/**
 * Looks at some places before the first border, where only the length vouches for what was read. A recording that ends there,
 * with another one behind it, shows nowhere else: later it would make times fall. False when it does show.
 */
async function lookInside(
	source: AudioSource,
	clock: Clock,
	density: Density,
	to: Place,
	room: Room,
): Promise<boolean> {
	if (clock.isConfirmed) return true;
	let known: Place = { at: clock.start, seconds: 0 };
	const rate = rateBetween(known, to);
	const length = Math.max(MIN_BYTES, Math.ceil(WITNESS_SECONDS * rate));
	for (let index = 1; index <= WITNESSES; index++) {
		const at = Math.floor(clock.start + ((to.at - clock.start) * index) / (WITNESSES + 1));
		if (at < known.at) continue;
		const stretch = await readStretch(source, clock, { at, length, least: LEAST_SECONDS, rate }, room);
		if (!stretch) return false;
		const { from, until } = timeOf(stretch);
		density.add(known, { at: stretch.start, seconds: from }, stretch);
		known = { at: stretch.end, seconds: until };
	}
	if (known.at < to.at) density.add(known, to);
	return density.isEven;
}

/** The stretch around the wanted border, or as near to it as is good enough. */
async function land(
	source: AudioSource,
	clock: Clock,
	finder: CutFinder,
	known: Place,
	room: Room,
): Promise<Stretch | null> {
	const { from, until } = finder.wanted;
	const target = (from + until) / 2;
	const least = Math.min(until - from, finder.overlapSeconds + LEAST_SECONDS);
	let [low, high]: [Place, Place] = [known, { at: clock.end, seconds: clock.seconds }];
	const rate = rateBetween(low, high);
	const length = Math.max(MIN_BYTES, Math.ceil((until - from) * rate));
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const latest = Math.min(clock.end, known.at + finder.room) - length;
		if (latest < known.at || !(high.seconds > low.seconds)) return null;
		const wished = Math.round(low.at + (target - low.seconds) * rateBetween(low, high) - length / 2);
		const at = Math.max(known.at, Math.min(wished, latest));
		const stretch = await readStretch(source, clock, { at, length, least, rate }, room);
		if (!stretch) return null;
		const heard = timeOf(stretch);
		if (heard.from < known.seconds - ROUNDING_SECONDS || heard.until > clock.seconds + LEAST_SECONDS)
			return null;
		const isAll = heard.from <= from + NEARLY_SECONDS && heard.until >= until - NEARLY_SECONDS;
		const middle = (heard.from + heard.until) / 2;
		if (isAll || finder.aim(middle, at === latest)) return stretch;
		if (middle < target) low = { at: stretch.end, seconds: heard.until };
		else high = { at: stretch.start, seconds: heard.from };
	}
	return null;
}

/**
 * A stretch of about `length` bytes, or of as many more as it takes to hold `least` seconds. All of it is looked at again with
 * each read, so that each brings a good part of what there is already.
 */
async function readStretch(
	source: AudioSource,
	clock: Clock,
	{ at, length, least, rate }: { at: number; length: number; least: number; rate: number },
	room: Room,
): Promise<Stretch | null> {
	let bytes = new Uint8Array(0);
	for (let more = length; more > 0 && bytes.length + more <= MAX_BYTES; ) {
		const from = at + bytes.length;
		room.bytes -= more;
		if (room.bytes < 0) return null;
		bytes = concat([bytes, await source.read(from, Math.min(clock.end, from + more))]);
		const stretch = clock.read(bytes, at);
		if (!stretch) return null;
		const { from: begin, until } = timeOf(stretch);
		if (until - begin >= least) return stretch;
		const missing = Math.ceil((least - until + begin) * rate);
		more = Math.min(clock.end - at - bytes.length, Math.max(MIN_BYTES, missing, bytes.length >> 1));
	}
	return null;
}

const rateBetween = (low: Place, high: Place): number => (high.at - low.at) / (high.seconds - low.seconds);

/** Bytes a second of what was read, and of what lies between: a file within the file would show there. */
class Density {
	private read = 0;
	private between = 0;

	constructor({ ends }: Clock) {
		for (const stretch of ends) this.take(stretch);
	}

	add(from: Place, to: Place, stretch?: Stretch): void {
		const seconds = Math.max(LEAST_SECONDS, to.seconds - from.seconds);
		this.between = Math.max(this.between, (to.at - from.at) / seconds);
		if (stretch) this.take(stretch);
	}

	get isEven(): boolean {
		return this.between <= MAX_DENSITY * this.read;
	}

	private take(stretch: Stretch): void {
		const { from, until } = timeOf(stretch);
		if (until - from < LEAST_SECONDS) return;
		this.read = Math.max(this.read, (stretch.end - stretch.start) / (until - from));
	}
}
