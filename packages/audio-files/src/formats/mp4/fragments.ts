import type { AudioInfo } from "../../audio-info.ts";
import { type AudioSource, cachedSource } from "../../audio-source.ts";
import { u8, u24, u32, u64 } from "../../bytes.ts";
import { packetLevel } from "../../codecs/codecs.ts";
import type { AudioPacket, PacketVisitor, Position, Scan } from "../../packets.ts";
import { broken } from "../../unsupported-audio.ts";
import { type Box, boxes, fileBoxes } from "./boxes.ts";
import { checkDuration, checkPacketSize } from "./limits.ts";
import type { FragmentsLayout } from "./open.ts";

type FragmentSample = { offset: number; size: number; ticks: number; duration: number };

/** Maximum duration of a sample. Frames of every codec are shorter. */
const MAX_SAMPLE_SECONDS = 10;
/** Maximum number of samples per fragment. A fragment usually lasts seconds. */
const MAX_SAMPLES = 500_000;
const MAX_MOOF_BYTES = 4 * 1024 * 1024;

/** Visits the samples of all fragments. The position of a sample is [offset of its fragment, its index there]. */
export async function scanFragments(
	source: AudioSource,
	info: AudioInfo,
	visitor: PacketVisitor,
): Promise<Scan> {
	const layout = info.layout as FragmentsLayout;
	const cached = cachedSource(source);
	let origin: number | undefined;
	let endSeconds = 0;
	let packets = 0;
	for await (const { moof, samples } of fragments(cached, layout, layout.start)) {
		for (const [index, sample] of samples.entries()) {
			if (sample.offset + sample.size > source.size) break;
			checkPacketSize(sample.size);
			packets++;
			origin ??= sample.ticks;
			const seconds = (sample.ticks - origin) / layout.timescale;
			const duration = sample.duration / layout.timescale;
			const wanted = seconds >= visitor.wanted.from && seconds < visitor.wanted.until;
			const data = wanted ? await cached.read(sample.offset, sample.offset + sample.size) : null;
			const level = data && packetLevel(info.codec, data, duration);
			visitor.add(moof.start, index, sample.size, seconds, duration, level);
			endSeconds = seconds + duration;
		}
	}
	checkDuration(info, packets, endSeconds);
	return { end: [source.size, 0], endSeconds };
}

/** Yields the packets from one position to another. */
export async function* readFragments(
	source: AudioSource,
	info: AudioInfo,
	from: Position,
	to: Position,
): AsyncGenerator<AudioPacket> {
	const layout = info.layout as FragmentsLayout;
	const end = await endBefore(source, layout, to);
	// Blocks are aligned to the range, so that reads stay within it.
	const own: AudioSource = {
		size: end - from[0],
		read: (start, stop) => source.read(from[0] + start, from[0] + stop),
	};
	const blocks = cachedSource(own);
	const cached: AudioSource = {
		size: end,
		read: (start, stop) => blocks.read(start - from[0], stop - from[0]),
	};
	for await (const { moof, samples } of fragments(cached, layout, from[0])) {
		for (const [index, sample] of samples.entries()) {
			if (moof.start === from[0] && index < from[1]) continue;
			if (moof.start > to[0] || (moof.start === to[0] && index >= to[1])) return;
			if (sample.offset < from[0] || sample.offset + sample.size > end) continue;
			yield {
				data: await cached.read(sample.offset, sample.offset + sample.size),
				seconds: sample.ticks / layout.timescale,
				duration: sample.duration / layout.timescale,
			};
		}
	}
}

/** Returns the file offset at which the last sample before a position ends. */
async function endBefore(source: AudioSource, layout: FragmentsLayout, to: Position): Promise<number> {
	if (to[1] === 0) return Math.min(source.size, to[0]);
	for await (const { samples } of fragments(source, layout, to[0])) {
		const last = samples[to[1] - 1];
		return Math.min(source.size, last ? last.offset + last.size : to[0]);
	}
	return source.size;
}

async function* fragments(
	source: AudioSource,
	layout: FragmentsLayout,
	from: number,
): AsyncGenerator<{ moof: Box; samples: FragmentSample[] }> {
	let ticks: number | null = null;
	for await (const moof of fileBoxes(source, from, source.size)) {
		if (moof.type !== "moof" || moof.end - moof.start > MAX_MOOF_BYTES || moof.end > source.size) continue;
		const bytes = await source.read(moof.start, moof.end);
		const samples = readMoof(bytes, moof, layout, ticks, source.size);
		const last = samples.at(-1);
		if (last) ticks = last.ticks + last.duration;
		yield { moof, samples };
	}
}

function readMoof(
	b: Uint8Array,
	moof: Box,
	layout: FragmentsLayout,
	expected: number | null,
	fileBytes: number,
): FragmentSample[] {
	const samples: FragmentSample[] = [];
	for (const traf of boxes(b, moof.body - moof.start, b.length)) {
		if (traf.type !== "traf") continue;
		const inner = [...boxes(b, traf.body, Math.min(traf.end, b.length))];
		const tfhd = inner.find((box) => box.type === "tfhd");
		if (!tfhd || u32(b, tfhd.body + 4) !== layout.track) continue;
		const defaults = readTfhd(b, tfhd.body, moof.start, layout);
		const tfdt = inner.find((box) => box.type === "tfdt");
		const declared = tfdt && (u8(b, tfdt.body) === 1 ? u64(b, tfdt.body + 4) : u32(b, tfdt.body + 4));
		let ticks = steadyTicks(declared ?? expected ?? 0, expected, layout.timescale);
		let offset = defaults.base;
		for (const trun of inner.filter((box) => box.type === "trun")) {
			const run = readTrun(
				b,
				trun.body,
				{ ...defaults, offset, ticks },
				MAX_SAMPLE_SECONDS * layout.timescale,
				fileBytes,
			);
			for (const sample of run) samples.push(sample);
			if (samples.length > MAX_SAMPLES) throw broken("a fragment has too many samples");
			const last = run.at(-1);
			if (last) [offset, ticks] = [last.offset + last.size, last.ticks + last.duration];
		}
	}
	return samples;
}

/** Returns the declared time, or the expected one if the declared time falls or leaps by more than ten minutes. */
const steadyTicks = (declared: number, expected: number | null, timescale: number): number =>
	expected !== null && (declared < expected || declared > expected + 600 * timescale) ? expected : declared;

/** Reads a track fragment header (ISO 14496-12, 8.8.7): the base of data offsets, and the defaults of its samples. */
function readTfhd(b: Uint8Array, at: number, moofStart: number, layout: FragmentsLayout) {
	const flags = u24(b, at + 1);
	let cursor = at + 8;
	let base = moofStart;
	let [duration, size] = layout.defaults;
	if (flags & 0x1) {
		base = u64(b, cursor);
		cursor += 8;
	}
	if (flags & 0x2) cursor += 4;
	if (flags & 0x8) {
		duration = u32(b, cursor);
		cursor += 4;
	}
	if (flags & 0x10) size = u32(b, cursor);
	return { base, duration, size };
}

type RunStart = { base: number; offset: number; ticks: number; duration: number; size: number };

/**
 * Reads a track run (ISO 14496-12, 8.8.8). A run without sizes and durations may declare millions of samples in a few bytes: they end
 * with the file, and a run of empty samples is ignored.
 */
function readTrun(
	b: Uint8Array,
	at: number,
	start: RunStart,
	maxTicks: number,
	fileBytes: number,
): FragmentSample[] {
	const flags = u24(b, at + 1);
	const count = u32(b, at + 4);
	let cursor = at + 8;
	let { offset, ticks } = start;
	if (flags & 0x1) {
		offset = start.base + (u32(b, cursor) | 0);
		cursor += 4;
	}
	if (flags & 0x4) cursor += 4;
	const entry = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
	const samples: FragmentSample[] = [];
	if ((flags & 0x200) === 0 && start.size === 0) return samples;
	for (
		let index = 0;
		index < count && offset <= fileBytes && (entry === 0 || cursor + entry <= b.length);
		index++
	) {
		let next = cursor;
		const duration = Math.min(maxTicks, flags & 0x100 ? u32(b, next) : start.duration);
		if (flags & 0x100) next += 4;
		const size = flags & 0x200 ? u32(b, next) : start.size;
		samples.push({ offset, size, ticks, duration });
		offset += size;
		ticks += duration;
		cursor += entry;
		if (samples.length > MAX_SAMPLES) break;
	}
	return samples;
}
