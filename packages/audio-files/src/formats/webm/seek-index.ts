import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { packetLevel } from "../../codecs/codecs.ts";
import { MAX_CHUNK_PACKETS } from "../../packets.ts";
import type { PacketRange, SeekIndex } from "../../seek-index.ts";
import { type Block, BlockReader, CLUSTER, CLUSTER_TIME } from "./blocks.ts";
import { readElement } from "./ebml.ts";
import { frameTimer, isBrokenStep, type WebmLayout } from "./webm.ts";

/** Bytes to read at either end. The next value applies if the one before holds too few blocks. */
const END_BYTES = [24 * 1024, 192 * 1024, 1024 * 1024];
/** Maximum share of the file to read at either end. */
const MAX_END_SHARE = 1 / 10;
/** Minimum share of the track in a range of the file. With less, the file contains other tracks, such as video. */
const MIN_SHARE = 0.5;
/** Overhead of a block besides its frames, which in silence are even smaller. */
const BLOCK_OVERHEAD_BYTES = 12;
/** Maximum difference between the duration in the header and that of the audio. */
const MAX_DIFFERENCE_SECONDS = 1;
const CHECKSUM = 0xbf;
/** First byte of a cluster. */
const CLUSTER_BYTE = CLUSTER >>> 24;

/**
 * Opens the seek index of a WebM file. Clusters state when they begin, and blocks how long after that. Returns null for files with
 * other tracks.
 */
export async function webmSeekIndex(source: AudioSource, info: AudioInfo): Promise<SeekIndex | null> {
	const { start } = info.layout as WebmLayout;
	const end = source.size;
	for (const length of END_BYTES.filter((bytes) => bytes <= MAX_END_SHARE * end)) {
		const head = findBlocks(info, await source.read(start, Math.min(end, start + length)), start);
		const tailAt = Math.max(start, end - length);
		const tail = findBlocks(info, await source.read(tailAt, end), tailAt);
		if (!head || !tail) return null;
		const first = head[0];
		const last = tail.at(-1);
		if (!first || !last || tail.length < 2) continue;
		const origin = secondsOf(info, first);
		const [opening, closing] = [rangeOf(info, head, origin), rangeOf(info, tail, origin)];
		const duration = durationsOf(info, tail).at(-1) ?? 0;
		// If only the next block tells how long a block is, a chunk could contain more audio unnoticed.
		if (!opening || !closing || duration === 0) return null;
		const seconds = secondsOf(info, last) - origin + duration;
		const declared = info.durationSeconds;
		if (declared !== null && Math.abs(declared - seconds) > MAX_DIFFERENCE_SECONDS) return null;
		return {
			first: [first.at, first.clusterTicks],
			start: first.at,
			end,
			durationSeconds: seconds,
			isConfirmed: declared !== null,
			ends: [opening, closing],
			read(bytes, offset) {
				const blocks = findBlocks(info, bytes, offset);
				return blocks && rangeOf(info, blocks, origin);
			},
		};
	}
	return null;
}

/** Finds the blocks from the first cluster on. Returns null if other data lies among them. */
function findBlocks(info: AudioInfo, bytes: Uint8Array, offset: number): Block[] | null {
	const blocks: Block[] = [];
	const at = findCluster(bytes);
	if (at === -1) return blocks;
	const reader = new BlockReader((info.layout as WebmLayout).track, 0, (block) => blocks.push(block));
	reader.feed(bytes.subarray(at), offset + at);
	return reader.isInvalid || blocks.length > MAX_CHUNK_PACKETS ? null : blocks;
}

/** Finds the start of a cluster, whose first child is its time, or a checksum and then its time. Returns -1 if there is none. */
function findCluster(bytes: Uint8Array): number {
	for (let at = bytes.indexOf(CLUSTER_BYTE); at !== -1; at = bytes.indexOf(CLUSTER_BYTE, at + 1)) {
		const cluster = readElement(bytes, at);
		if (cluster?.id !== CLUSTER) continue;
		const child = readElement(bytes, cluster.body);
		const time = child?.id === CHECKSUM && child.end !== null ? readElement(bytes, child.end) : child;
		if (time?.id === CLUSTER_TIME) return at;
	}
	return -1;
}

/** Returns the packets except those of the last block, which may be incomplete. Returns null if their times contradict each other. */
function rangeOf(info: AudioInfo, blocks: readonly Block[], origin: number): PacketRange | null {
	const durations = durationsOf(info, blocks);
	const range: PacketRange = { start: blocks[0]?.at ?? 0, end: blocks.at(-1)?.at ?? 0, packets: [] };
	let trackBytes = 0;
	for (let index = 0; index < blocks.length - 1; index++) {
		const block = blocks[index] as Block;
		const seconds = secondsOf(info, block) - origin;
		const next = secondsOf(info, blocks[index + 1] as Block) - origin;
		const duration = durations[index] || Math.max(0, next - seconds);
		if (isBrokenStep(next - seconds - duration)) return null;
		const bytes = block.frames.reduce((sum, frame) => sum + frame.length, 0);
		const each = duration / block.frames.length || 0.02;
		const level = packetLevel(info.codec, block.frames[0] as Uint8Array, each);
		range.packets.push({ position: [block.at, block.clusterTicks], bytes, seconds, duration, level });
		trackBytes += bytes + BLOCK_OVERHEAD_BYTES;
	}
	return trackBytes >= MIN_SHARE * (range.end - range.start) ? range : null;
}

const secondsOf = ({ layout }: AudioInfo, { ticks }: Block): number =>
	ticks * (layout as WebmLayout).secondsPerTick;

/** Returns the durations of blocks in seconds; 0 where the frames do not tell. */
function durationsOf(info: AudioInfo, blocks: readonly Block[]): number[] {
	const timer = frameTimer(info);
	return blocks.map(({ frames }) => frames.reduce((sum, frame) => sum + timer(frame), 0));
}
