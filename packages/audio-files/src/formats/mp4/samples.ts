import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { u32, u64 } from "../../bytes.ts";
import { packetLevel } from "../../codecs/codecs.ts";
import type { Extents, PacketVisitor, Position, Scan } from "../../packets.ts";
import { broken } from "../../unsupported-audio.ts";
import { type Box, fileBoxes } from "./boxes.ts";
import { checkDuration, checkPacketSize } from "./limits.ts";
import type { Mp4Layout } from "./open.ts";

type Tables = {
	sizes: Uint32Array | null;
	fixed: number;
	sizesAt: number;
	offsets: Float64Array;
	/** Three numbers per entry: first chunk (from 1, ascending), samples per chunk, description. */
	runs: Float64Array;
	/** Two numbers per entry: samples, ticks per sample. */
	times: Float64Array;
	/** Maximum duration of a sample. Frames of every codec are shorter. */
	maxTicks: number;
};

/** Samples between two checkpoints of the cursor. */
const CHECKPOINT_INTERVAL = 4096;
/** Maximum size of all tables in memory. Those of a day of AAC take 16 MB, and four times that in the worst order. */
const MAX_TABLE_BYTES = 64 * 1024 * 1024;
/** Maximum number of boxes in the sample table. There are about a dozen. */
const MAX_TABLES = 1000;
/** Maximum gap between samples around a boundary that one read covers. */
const MAX_GAP_BYTES = 32 * 1024;

/** Steps over the samples of a track in order. Copies serve as checkpoints to resume from. */
class SampleCursor {
	index = 0;
	offset = 0;
	size = 0;
	ticks = 0;
	duration = 0;
	private chunk = 0;
	private left = 0;
	private run = 0;
	private timeRun = 0;
	private timeLeft = 0;
	private readonly tables: Tables;
	private readonly count: number;

	constructor(tables: Tables, count: number) {
		this.tables = tables;
		this.count = count;
		this.timeLeft = tables.times[0] ?? 0;
		this.enterChunk();
		this.load();
	}

	get done(): boolean {
		return this.index >= this.count || this.chunk >= this.tables.offsets.length;
	}

	next(): void {
		this.ticks += this.duration;
		this.offset += this.size;
		this.index++;
		this.timeLeft--;
		const { times } = this.tables;
		while (this.timeLeft <= 0 && 2 * (this.timeRun + 1) < times.length) {
			this.timeLeft = times[2 * ++this.timeRun] as number;
		}
		if (--this.left <= 0) {
			this.chunk++;
			this.enterChunk();
		}
		this.load();
	}

	copy(): SampleCursor {
		return Object.assign(Object.create(SampleCursor.prototype) as SampleCursor, this);
	}

	private enterChunk(): void {
		const { runs, offsets } = this.tables;
		while (3 * (this.run + 1) < runs.length && (runs[3 * (this.run + 1)] as number) - 1 <= this.chunk)
			this.run++;
		this.left = runs[3 * this.run + 1] ?? 0;
		this.offset = offsets[this.chunk] ?? 0;
	}

	private load(): void {
		this.size = this.tables.sizes?.[this.index] ?? this.tables.fixed;
		this.duration = Math.min(this.tables.times[2 * this.timeRun + 1] ?? 0, this.tables.maxTicks);
	}
}

/** Visits all samples by the sample tables. Reads the samples themselves only where the visitor wants their levels. */
export async function scanMp4(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as Mp4Layout;
	const tables = await readTables(source, layout);
	let cached = { from: 0, bytes: new Uint8Array(0) as Uint8Array };
	const cursor = new SampleCursor(tables, layout.samples);
	const checkpoints: SampleCursor[] = [];
	const seconds = (ticks: number) => ticks / layout.timescale;
	while (!cursor.done && cursor.offset + cursor.size <= source.size) {
		if (cursor.index % CHECKPOINT_INTERVAL === 0) checkpoints.push(cursor.copy());
		const at = seconds(cursor.ticks);
		checkPacketSize(cursor.size);
		let level: number | null = null;
		if (at >= visitor.wanted.from && at < visitor.wanted.until && cursor.size > 0) {
			if (cursor.offset < cached.from || cursor.offset + cursor.size > cached.from + cached.bytes.length) {
				const end = endOfNearby(cursor, source.size, visitor.wanted.until * layout.timescale);
				cached = { from: cursor.offset, bytes: await source.read(cursor.offset, end) };
			}
			const from = cursor.offset - cached.from;
			const bytes = cached.bytes.subarray(from, from + cursor.size);
			level = packetLevel(info.codec, bytes, seconds(cursor.duration));
		}
		visitor.add(cursor.index, 0, cursor.size, at, seconds(cursor.duration), level);
		cursor.next();
	}
	checkDuration(info, cursor.index, seconds(cursor.ticks));
	const extentsOf = (from: Position, to: Position) =>
		extents(tables, checkpoints, from[0], to[0], layout.timescale);
	return { end: [cursor.index, 0], endSeconds: seconds(cursor.ticks), extentsOf };
}

/** Returns where to end a read that begins with this sample: behind the samples close by, up to a time. */
function endOfNearby(from: SampleCursor, fileEnd: number, untilTicks: number): number {
	const cursor = from.copy();
	let end = cursor.offset + cursor.size;
	for (cursor.next(); !cursor.done && cursor.ticks < untilTicks; cursor.next()) {
		const next = cursor.offset + cursor.size;
		const isNear = cursor.offset >= end && cursor.offset - end <= MAX_GAP_BYTES;
		if (!isNear || next > fileEnd || next - from.offset > MAX_READ_BYTES) break;
		end = next;
	}
	return end;
}

function extents(
	tables: Tables,
	checkpoints: readonly SampleCursor[],
	from: number,
	to: number,
	timescale: number,
): Extents {
	const cursor = (checkpoints[Math.floor(from / CHECKPOINT_INTERVAL)] as SampleCursor).copy();
	while (cursor.index < from) cursor.next();
	const runs: [number, number][] = [];
	const durations: [number, number][] = [];
	for (; cursor.index < to && !cursor.done; cursor.next()) {
		const run = runs.at(-1);
		if (run && run[0] + run[1] === cursor.offset) run[1] += cursor.size;
		else runs.push([cursor.offset, cursor.size]);
		const time = durations.at(-1);
		const each = cursor.duration / timescale;
		if (time && time[1] === each) time[0]++;
		else durations.push([1, each]);
	}
	return { runs, sizesAt: tables.sizesAt + 4 * from, fixed: tables.fixed, durations };
}

async function readTables(source: AudioSource, layout: Mp4Layout): Promise<Tables> {
	const found = new Map<string, Box>();
	for await (const box of fileBoxes(source, ...layout.tables, MAX_TABLES)) found.set(box.type, box);
	const stsz = found.get("stsz");
	const offsets = found.get("stco") ?? found.get("co64");
	const stsc = found.get("stsc");
	const stts = found.get("stts");
	if (!stsz || !offsets || !stsc || !stts) throw broken("its index is incomplete");
	const header = await source.read(stsz.body, stsz.body + 12);
	const fixed = u32(header, 4);
	const wide = offsets.type === "co64";
	const budget: TableBudget = { bytes: MAX_TABLE_BYTES };
	return {
		sizes: fixed > 0 ? null : await readSizes(source, stsz, layout.samples, budget),
		fixed,
		sizesAt: stsz.body + 12,
		offsets: await readNumbers(source, offsets, wide ? 8 : 4, budget, wide),
		runs: await readNumbers(source, stsc, 12, budget),
		times: await readNumbers(source, stts, 8, budget),
		maxTicks: 10 * layout.timescale,
	};
}

/** Memory that is left for the tables. */
type TableBudget = { bytes: number };

function reserve(budget: TableBudget, bytes: number): void {
	budget.bytes -= bytes;
	if (budget.bytes < 0) throw broken("its index is too long");
}

async function readSizes(
	source: AudioSource,
	box: Box,
	count: number,
	budget: TableBudget,
): Promise<Uint32Array> {
	if (box.body + 12 + 4 * count > Math.min(box.end, source.size)) throw broken("its index is incomplete");
	reserve(budget, 4 * count);
	const sizes = new Uint32Array(count);
	await eachPiece(source, box.body + 12, 4 * count, (bytes, done) => {
		for (let at = 0; at + 4 <= bytes.length; at += 4) sizes[(done + at) / 4] = u32(bytes, at);
	});
	return sizes;
}

/** Offset of the entries in a table box. */
const ENTRIES_AT = 8;

/** Reads all numbers of a table: a count, then entries of `entryBytes`. */
async function readNumbers(
	source: AudioSource,
	box: Box,
	entryBytes: number,
	budget: TableBudget,
	wide = false,
): Promise<Float64Array> {
	const count = u32(await source.read(box.body + 4, box.body + 8), 0);
	const bytes = count * entryBytes;
	if (box.body + ENTRIES_AT + bytes > Math.min(box.end, source.size)) throw broken("its index is incomplete");
	const width = wide ? 8 : 4;
	reserve(budget, (bytes / width) * Float64Array.BYTES_PER_ELEMENT);
	const numbers = new Float64Array(bytes / width);
	await eachPiece(source, box.body + ENTRIES_AT, bytes, (piece, done) => {
		for (let at = 0; at + width <= piece.length; at += width) {
			numbers[(done + at) / width] = wide ? u64(piece, at) : u32(piece, at);
		}
	});
	return numbers;
}

/** Reads a long table in pieces, so that it is not in memory twice. */
async function eachPiece(
	source: AudioSource,
	from: number,
	length: number,
	visit: (bytes: Uint8Array, done: number) => void,
): Promise<void> {
	const step = 512 * 1024;
	for (let done = 0; done < length; done += step) {
		visit(await source.read(from + done, from + Math.min(length, done + step)), done);
	}
}

/** Maximum gap between runs that one read covers. */
const MAX_RUN_GAP_BYTES = 256 * 1024;
const MAX_READ_BYTES = 1024 * 1024;

/** Yields the samples of a range with their durations in seconds. */
export async function* readExtents(
	source: AudioSource,
	extents: Extents,
): AsyncGenerator<{ data: Uint8Array; duration: number }> {
	const count = extents.durations.reduce((sum, [samples]) => sum + samples, 0);
	const table = extents.fixed > 0 ? null : await source.read(extents.sizesAt, extents.sizesAt + 4 * count);
	let cached = { from: 0, bytes: new Uint8Array(0) as Uint8Array };
	let run = 0;
	let inRun = 0;
	let sample = 0;
	for (const [samples, duration] of extents.durations) {
		for (let index = 0; index < samples; index++, sample++) {
			const size = table ? u32(table, 4 * sample) : extents.fixed;
			while (run < extents.runs.length && inRun >= (extents.runs[run] as [number, number])[1]) {
				run++;
				inRun = 0;
			}
			const at = (extents.runs[run]?.[0] ?? 0) + inRun;
			inRun += size;
			if (size === 0) continue;
			if (at < cached.from || at + size > cached.from + cached.bytes.length) {
				const end = Math.max(at + size, readUntil(extents.runs, run, at));
				cached = { from: at, bytes: await source.read(at, Math.min(source.size, end)) };
			}
			const data = cached.bytes.subarray(at - cached.from, at - cached.from + size);
			if (data.length < size) throw broken("its audio data is cut off");
			yield { data, duration };
		}
	}
}

/** Returns where to end a read at `at`: behind the runs close by. */
function readUntil(runs: readonly [number, number][], run: number, at: number): number {
	let end = at;
	for (let index = run; index < runs.length; index++) {
		const [offset, bytes] = runs[index] as [number, number];
		if (index > run && (offset < end || offset - end > MAX_RUN_GAP_BYTES)) break;
		end = offset + bytes;
		if (end - at >= MAX_READ_BYTES) return at + MAX_READ_BYTES;
	}
	return end;
}
