import {
	MAX_CHUNK_PACKETS,
	type PacketVisitor,
	type PlacedPacket,
	type Position,
} from "@parley/audio-files/packets";
import { broken, UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import type { PauseRules } from "./levels.ts";

export type Cut = "quiet" | "overlap";

/** The packets of one chunk. `cut` is the kind of its boundary to the next chunk. */
export type Piece = {
	from: Position;
	to: Position;
	startSeconds: number;
	endSeconds: number;
	bytes: number;
	cut: Cut | "end";
};

export type CutRules = PauseRules & {
	targetSeconds: number;
	maxBytes: number;
	/** Distance from the target within which to search for a boundary. */
	windowSeconds: number;
	/** Audio that both neighbours get where the boundary is not in a pause. */
	overlapSeconds: number;
	/** Overlaps at every boundary, so that speakers can be matched. */
	alwaysOverlap: boolean;
	/** Size of the file. Packets that exceed it together must overlap. */
	sizeBytes: number;
};

type Packet = {
	position: Position;
	seconds: number;
	duration: number;
	level: number | null;
	/** Number of packets before this one, and their bytes. */
	number: number;
	bytesBefore: number;
};

/** Maximum number of packets. A day of the shortest frames has fewer. */
const MAX_PACKETS = 60_000_000;
/** Maximum number of chunks of a job: more than a day of chunks of ten seconds. */
const MAX_PIECES = 16_384;
/** Factor by which a chunk without a place to cut may exceed the byte limit. */
const MAX_OVERSIZE = 4;
/** Span over which levels are averaged. Shorter dips are closures inside words. */
const SMOOTH_SECONDS = 0.3;
/** Minimum length of a chunk as a share of the target, unless the byte limit demands less. */
const MIN_SHARE = 0.25;
/** Maximum distance of a boundary from its target, as a share of the target, if getting closer would take more reads. */
const MAX_DRIFT = 0.1;
/** Share of the target below which the last chunk joins the one before it. */
const TAIL_SHARE = 0.15;

/**
 * Finds chunk boundaries in one pass over packets in order, holding only the packets around the next boundary.
 *
 * A full scan gives all packets with `add`; those outside `wanted` need no level. A sparse scan gives the packets around each boundary with
 * `cutAmong` and passes over the others with `skip`. Both end with `finish`.
 */
export class CutFinder implements PacketVisitor {
	wanted: { from: number; until: number };
	readonly overlapSeconds: number;
	private readonly rules: CutRules;
	private readonly pieces: Piece[] = [];
	private recent: Packet[] = [];
	private start: Packet | undefined;
	/** Target on a fixed grid, so that early cuts do not add up to an extra chunk. A cut forced by bytes restarts the grid. */
	private gridTarget: number;
	private target: number;
	private bytes = 0;
	private count = 0;
	/** Size from which a chunk is full. Grows if the chunk could not be cut there. */
	private fullBytes: number;

	constructor(rules: CutRules) {
		this.rules = rules;
		this.overlapSeconds = rules.overlapSeconds;
		this.gridTarget = rules.targetSeconds;
		this.target = this.gridTarget;
		this.wanted = this.window();
		this.fullBytes = this.initialFullBytes();
	}

	/** Takes the next packet. @throws UnsupportedAudio if the packets cannot be those of one recording. */
	add(
		offset: number,
		index: number,
		bytes: number,
		seconds: number,
		duration: number,
		level: number | null,
	): void {
		this.keep({ position: [offset, index], bytes, seconds, duration, level });
		const used = this.bytes - (this.start as Packet).bytesBefore;
		const full = used >= this.fullBytes;
		if (full || seconds + duration >= this.wanted.until + this.rules.overlapSeconds / 2) this.cut(full);
		this.dropOld();
	}

	/** Bytes that the current chunk can still take. */
	get remainingBytes(): number {
		return this.fullBytes - this.bytes + (this.start?.bytesBefore ?? this.bytes);
	}

	/** Passes over packets without a boundary. `position` is that of the first. */
	skip(position: Position, bytes: number, seconds: number): void {
		this.start ??= this.packet({ position, bytes, seconds, duration: 0, level: null });
		this.grow(bytes);
		this.recent = [];
	}

	/**
	 * Moves the target to another time. Returns false if that is too far away, unless every later time would make the chunk too large
	 * (`isLatest`).
	 */
	retarget(seconds: number, isLatest: boolean): boolean {
		const drift = Math.abs(seconds - this.gridTarget);
		if (drift > MAX_DRIFT * this.rules.targetSeconds && !(isLatest && seconds < this.gridTarget))
			return false;
		this.target = seconds;
		this.wanted = this.window();
		return true;
	}

	/** Sets a boundary among these packets, which follow the skipped ones. Returns false if they have no place for one. */
	cutAmong(packets: readonly PlacedPacket[]): boolean {
		const start = this.start as Packet;
		for (const packet of packets) this.keep(packet);
		const half = this.rules.overlapSeconds / 2;
		const earliest = start.seconds + MIN_SHARE * (this.target - start.seconds);
		const candidates = this.recent.filter((packet) => packet.seconds >= earliest);
		// Half of the overlap must be available on either side.
		const [first, latest] = [this.recent[0]?.seconds ?? 0, this.recent.at(-1)?.seconds ?? 0];
		const inner = candidates.filter(({ seconds }) => seconds >= first + half && seconds <= latest - half);
		const best = findQuietest(candidates, this.target, this.rules);
		const isPause = best?.quiet === true && !this.rules.alwaysOverlap;
		const found = isPause ? best : findQuietest(inner, this.target, this.rules);
		if (!found || found.at.seconds <= start.seconds) return false;
		this.addBoundary(found, this.target < this.gridTarget - MAX_DRIFT * this.rules.targetSeconds);
		return true;
	}

	/** Returns all chunks. `end` is the position behind the last packet. */
	finish(end: Position, endSeconds: number): Piece[] {
		if (!this.start) return [];
		const rest = this.bytes - this.start.bytesBefore;
		const last = this.pieces.at(-1);
		const seconds = endSeconds - this.start.seconds;
		const tail = Math.min(10, this.rules.targetSeconds * TAIL_SHARE);
		if (last && seconds < tail && last.bytes + rest <= this.rules.maxBytes) {
			Object.assign(last, { to: end, endSeconds, bytes: last.bytes + rest, cut: "end" });
		} else {
			this.pieces.push({
				from: this.start.position,
				to: end,
				startSeconds: this.start.seconds,
				endSeconds,
				bytes: rest,
				cut: "end",
			});
		}
		return this.pieces;
	}

	private keep(packet: PlacedPacket): void {
		const taken = this.packet(packet);
		this.start ??= taken;
		if (++this.count > MAX_PACKETS || this.count - this.start.number > MAX_CHUNK_PACKETS)
			throw broken("it has too many packets");
		if (!Number.isFinite(packet.seconds + packet.duration)) throw broken("its timestamps are invalid");
		this.recent.push(taken);
		this.grow(packet.bytes);
	}

	private packet({ position, seconds, duration, level }: PlacedPacket): Packet {
		return { position, seconds, duration, level, number: this.count, bytesBefore: this.bytes };
	}

	private grow(bytes: number): void {
		this.bytes += bytes;
		if (this.bytes > this.rules.sizeBytes) throw broken("its packets overlap");
		const used = this.bytes - (this.start as Packet).bytesBefore;
		if (used > MAX_OVERSIZE * this.rules.maxBytes) throw broken("too much of its data belongs to one moment");
	}

	private initialFullBytes(): number {
		return this.rules.maxBytes * 0.95;
	}

	private window(): { from: number; until: number } {
		return { from: this.target - this.rules.windowSeconds, until: this.target + this.rules.windowSeconds };
	}

	private cut(full: boolean): void {
		const start = this.start as Packet;
		const { windowSeconds, overlapSeconds } = this.rules;
		const latest = (this.recent.at(-1) as Packet).seconds;
		const half = overlapSeconds / 2;
		const target = Math.min(this.target, latest - half);
		const from = Math.max(start.seconds + MIN_SHARE * (target - start.seconds), target - windowSeconds);
		const candidates = this.recent.filter(
			(packet) => packet.seconds >= from && packet.seconds <= latest - half,
		);
		const middle = full ? (from + latest - half) / 2 : target;
		const found = findQuietest(candidates, middle, this.rules);
		if (!found || found.at.seconds <= start.seconds) {
			// A huge packet must stay whole. Searching again at each packet would take too long.
			if (full) this.fullBytes += this.rules.maxBytes * 0.05;
			return;
		}
		this.addBoundary(found, full);
	}

	private addBoundary(found: { at: Packet; quiet: boolean }, isForced: boolean): void {
		const start = this.start as Packet;
		const half = this.rules.overlapSeconds / 2;
		const quiet = found.quiet && !this.rules.alwaysOverlap;
		const left = quiet ? found.at : this.recent.find((packet) => packet.seconds >= found.at.seconds + half);
		const right = quiet
			? found.at
			: this.recent.findLast((packet) => packet.seconds <= found.at.seconds - half);
		const end = left ?? (this.recent.at(-1) as Packet);
		const next = right && right.seconds > start.seconds ? right : found.at;
		this.pieces.push({
			from: start.position,
			to: end.position,
			startSeconds: start.seconds,
			endSeconds: end.seconds,
			bytes: end.bytesBefore - start.bytesBefore,
			cut: quiet ? "quiet" : "overlap",
		});
		if (this.pieces.length > MAX_PIECES) throw new UnsupportedAudio("too_long", "The audio is too long.");
		this.start = next;
		this.fullBytes = this.initialFullBytes();
		this.gridTarget = (isForced ? next.seconds : this.gridTarget) + this.rules.targetSeconds;
		this.target = this.gridTarget;
		this.wanted = this.window();
	}

	/** Drops packets that the next boundary cannot need. */
	private dropOld(): void {
		const latest = (this.recent.at(-1) as Packet).seconds;
		const keep = latest - 2 * this.rules.windowSeconds - 2 * this.rules.overlapSeconds;
		const oldest = this.recent[0] as Packet;
		if (this.recent.length < 256 || oldest.seconds > keep - 10) return;
		this.recent = this.recent.filter((packet) => packet.seconds >= keep);
	}
}

/** Finds the packet at the quietest moment, and whether it is a pause. Without levels, returns the packet nearest `middle`. */
function findQuietest(
	packets: readonly Packet[],
	middle: number,
	rules: CutRules,
): { at: Packet; quiet: boolean } | null {
	const smooth: { at: Packet; level: number }[] = [];
	for (let from = 0, to = 0, sum = 0, time = 0; from < packets.length; from++) {
		while (to < packets.length && time < SMOOTH_SECONDS) {
			const packet = packets[to++] as Packet;
			sum += (packet.level ?? Number.NaN) * packet.duration;
			time += packet.duration;
		}
		if (time >= SMOOTH_SECONDS && Number.isFinite(sum)) {
			smooth.push({ at: packets[(from + to) >> 1] as Packet, level: sum / time });
		}
		const first = packets[from] as Packet;
		sum -= (first.level ?? Number.NaN) * first.duration;
		time -= first.duration;
		if (!Number.isFinite(sum)) [sum, time, to] = [0, 0, from + 1];
	}
	let best: { at: Packet; level: number } | undefined;
	for (const moment of smooth) if (!best || moment.level < best.level) best = moment;
	if (best) {
		const median = smooth.map((moment) => moment.level).sort((a, b) => a - b)[smooth.length >> 1] as number;
		return { at: best.at, quiet: best.level <= rules.silence || median - best.level >= rules.minContrast };
	}
	let nearest: Packet | undefined;
	for (const packet of packets) {
		if (!nearest || Math.abs(packet.seconds - middle) < Math.abs(nearest.seconds - middle)) nearest = packet;
	}
	return nearest ? { at: nearest, quiet: false } : null;
}
