import {
	MAX_CHUNK_PACKETS,
	type PacketVisitor,
	type PlacedPacket,
	type Position,
} from "@parley/audio-files/packets";
import { broken, UnsupportedAudio } from "@parley/audio-files/unsupported-audio";

export type Cut = "quiet" | "overlap";

/** A stretch of packets: what one chunk holds. `cut` is the kind of its border to the next chunk. */
export type Piece = {
	from: Position;
	to: Position;
	startSeconds: number;
	endSeconds: number;
	bytes: number;
	cut: Cut | "end";
};

export type CutRules = {
	targetSeconds: number;
	maxBytes: number;
	/** A border is sought this far around the target. */
	windowSeconds: number;
	/** Sound that both neighbours get where the border is not in a pause. */
	overlapSeconds: number;
	/** Overlap at every border: for readings that have to be matched, such as speakers. */
	alwaysOverlap: boolean;
	/** How far the quietest place must lie below the window's median to count as a pause; unit of the levels. */
	minContrast: number;
	/** Levels below this are silence, whatever is around. */
	silence: number;
	/** Of the file: packets that together are more lie over one another. */
	sizeBytes: number;
};

type Packet = {
	position: Position;
	seconds: number;
	duration: number;
	level: number | null;
	/** Packets before it, and their bytes. */
	number: number;
	bytesBefore: number;
};

/** A day of the shortest frames there are has fewer. */
const MAX_PACKETS = 60_000_000;
/** More than a day of chunks of ten seconds; a job takes as many. */
const MAX_PIECES = 16_384;
/** A chunk that outgrows the limit this often for want of a place to cut cannot be held. */
const MAX_OVERSIZE = 4;
/** Levels are averaged over this: shorter dips are the closures inside words. */
const SMOOTH_SECONDS = 0.3;
/** A chunk is not cut shorter than this share of the target, unless its bytes demand it. */
const MIN_SHARE = 0.25;
/** A border may be sought this share of the target away from it, where to come closer would take more reading. */
const MAX_DRIFT = 0.1;
/** A last chunk shorter than this share of the target joins the one before it. */
const TAIL_SHARE = 0.15;

/**
 * Decides chunk borders in one pass over packets in order, holding only the packets around the next border. Give packets
 * with `add` (those outside `wanted` need no level), or go past most with `pass` and give those around each border with
 * `settle`; then call `finish`.
 */
export class CutFinder implements PacketVisitor {
	/** Levels matter in this stretch only: formats with an index need not read the rest. */
	wanted: { from: number; until: number };
	/** Packets this far before `wanted` may become the start of a chunk, and so need places of their own. */
	readonly overlapSeconds: number;
	private readonly rules: CutRules;
	private readonly pieces: Piece[] = [];
	private recent: Packet[] = [];
	private start: Packet | undefined;
	/** Targets lie on a grid, so that early cuts do not add up to a chunk more; a cut forced by bytes starts a new one. */
	private grid: number;
	private target: number;
	private bytes = 0;
	private count = 0;
	/** Bytes of a chunk from which on it is full: more when it could not be cut there. */
	private full: number;

	constructor(rules: CutRules) {
		this.rules = rules;
		this.overlapSeconds = rules.overlapSeconds;
		this.grid = rules.targetSeconds;
		this.target = this.grid;
		this.wanted = this.window();
		this.full = this.fullFrom();
	}

	/** @throws UnsupportedAudio when the packets are more, or lie otherwise, than those of a recording can. */
	add(
		offset: number,
		index: number,
		bytes: number,
		seconds: number,
		duration: number,
		level: number | null,
	): void {
		this.take({ position: [offset, index], bytes, seconds, duration, level });
		const used = this.bytes - (this.start as Packet).bytesBefore;
		const full = used >= this.full;
		if (full || seconds + duration >= this.wanted.until + this.rules.overlapSeconds / 2) this.cut(full);
		this.forget();
	}

	/** Bytes that the chunk at hand still takes. */
	get room(): number {
		return this.full - this.bytes + (this.start?.bytesBefore ?? this.bytes);
	}

	/** Goes past packets that nobody looks at; `position` is that of the first. No border lies among them. */
	pass(position: Position, bytes: number, seconds: number): void {
		this.start ??= this.packet({ position, bytes, seconds, duration: 0, level: null });
		this.grow(bytes);
		this.recent = [];
	}

	/**
	 * Seeks the border around another place than the target. False when that is too far from it, unless no later place will
	 * do, since the chunk would be too large.
	 */
	aim(seconds: number, isLatest: boolean): boolean {
		const drift = Math.abs(seconds - this.grid);
		if (drift > MAX_DRIFT * this.rules.targetSeconds && !(isLatest && seconds < this.grid)) return false;
		this.target = seconds;
		this.wanted = this.window();
		return true;
	}

	/** Makes a border among packets that `pass` led to, and behind which it goes on. False when they have no place for one. */
	settle(packets: readonly PlacedPacket[]): boolean {
		const start = this.start as Packet;
		for (const packet of packets) this.take(packet);
		const half = this.rules.overlapSeconds / 2;
		const earliest = start.seconds + MIN_SHARE * (this.target - start.seconds);
		const candidates = this.recent.filter((packet) => packet.seconds >= earliest);
		// What both neighbours get has to be at hand on either side.
		const [first, latest] = [this.recent[0]?.seconds ?? 0, this.recent.at(-1)?.seconds ?? 0];
		const inner = candidates.filter(({ seconds }) => seconds >= first + half && seconds <= latest - half);
		const best = quietest(candidates, this.target, this.rules);
		const isPause = best?.quiet === true && !this.rules.alwaysOverlap;
		const found = isPause ? best : quietest(inner, this.target, this.rules);
		if (!found || found.at.seconds <= start.seconds) return false;
		this.border(found, this.target < this.grid - MAX_DRIFT * this.rules.targetSeconds);
		return true;
	}

	/** All pieces; `end` is the place behind the last packet. */
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

	private take(packet: PlacedPacket): void {
		const taken = this.packet(packet);
		this.start ??= taken;
		if (++this.count > MAX_PACKETS || this.count - this.start.number > MAX_CHUNK_PACKETS)
			throw broken("it consists of too many parts");
		if (!Number.isFinite(packet.seconds + packet.duration)) throw broken("its clock cannot be read");
		this.recent.push(taken);
		this.grow(packet.bytes);
	}

	private packet({ position, seconds, duration, level }: PlacedPacket): Packet {
		return { position, seconds, duration, level, number: this.count, bytesBefore: this.bytes };
	}

	private grow(bytes: number): void {
		this.bytes += bytes;
		if (this.bytes > this.rules.sizeBytes) throw broken("its parts lie over one another");
		const used = this.bytes - (this.start as Packet).bytesBefore;
		if (used > MAX_OVERSIZE * this.rules.maxBytes) throw broken("too much of it lies in one place");
	}

	private fullFrom(): number {
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
		const found = quietest(candidates, middle, this.rules);
		if (!found || found.at.seconds <= start.seconds) {
			// Nothing but one huge packet at hand: it has to stay whole. To look again at each packet would take too long.
			if (full) this.full += this.rules.maxBytes * 0.05;
			return;
		}
		this.border(found, full);
	}

	private border(found: { at: Packet; quiet: boolean }, isForced: boolean): void {
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
		this.full = this.fullFrom();
		this.grid = (isForced ? next.seconds : this.grid) + this.rules.targetSeconds;
		this.target = this.grid;
		this.wanted = this.window();
	}

	/** Keeps what the next border may need: with a byte limit that may be any of the last packets. */
	private forget(): void {
		const latest = (this.recent.at(-1) as Packet).seconds;
		const keep = latest - 2 * this.rules.windowSeconds - 2 * this.rules.overlapSeconds;
		const oldest = this.recent[0] as Packet;
		if (this.recent.length < 256 || oldest.seconds > keep - 10) return;
		this.recent = this.recent.filter((packet) => packet.seconds >= keep);
	}
}

/** The packet at the quietest place, and whether that is a pause. Without levels: the packet nearest `middle`. */
function quietest(
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
	for (const place of smooth) if (!best || place.level < best.level) best = place;
	if (best) {
		const median = smooth.map((place) => place.level).sort((a, b) => a - b)[smooth.length >> 1] as number;
		return { at: best.at, quiet: best.level <= rules.silence || median - best.level >= rules.minContrast };
	}
	let nearest: Packet | undefined;
	for (const packet of packets) {
		if (!nearest || Math.abs(packet.seconds - middle) < Math.abs(nearest.seconds - middle)) nearest = packet;
	}
	return nearest ? { at: nearest, quiet: false } : null;
}
