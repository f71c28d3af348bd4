import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { packetLevel } from "../../codecs/codecs.ts";
import { MAX_CHUNK_PACKETS } from "../../packets.ts";
import type { Clock, Stretch } from "../../seek-index.ts";
import { type Block, BlockReader, CLUSTER, CLUSTER_TIME } from "./blocks.ts";
import { readElement } from "./ebml.ts";
import { frameTimer, isBrokenStep, type WebmLayout } from "./webm.ts";

/** What is read at either end: more where clusters are longer. */
const END_BYTES = [24 * 1024, 192 * 1024, 1024 * 1024];
/** Of the file: ends that are as long are not worth it. */
const MAX_END_SHARE = 1 / 10;
/** Of a stretch: with less the file holds more than this track, such as pictures. */
const MIN_SHARE = 0.5;
/** Of a block, beside its frames; silence takes less than that. */
const BLOCK_HEAD_BYTES = 12;
/** How far the length in the header may lie from that of the sound. */
const HEADER_SECONDS = 1;
const CHECKSUM = 0xbf;
/** What a cluster begins with. */
const CLUSTER_BYTE = CLUSTER >>> 24;

/** Clusters of WebM say when they begin, and blocks how long after that. Files of other tracks too have no clock. */
export async function webmClock(source: AudioSource, info: AudioInfo): Promise<Clock | null> {
	const { start } = info.layout as WebmLayout;
	const end = source.size;
	for (const length of END_BYTES.filter((bytes) => bytes <= MAX_END_SHARE * end)) {
		const head = blocksIn(info, await source.read(start, Math.min(end, start + length)), start);
		const tailAt = Math.max(start, end - length);
		const tail = blocksIn(info, await source.read(tailAt, end), tailAt);
		if (!head || !tail) return null;
		const first = head[0];
		const last = tail.at(-1);
		if (!first || !last || tail.length < 2) continue;
		const origin = secondsOf(info, first);
		const [opening, closing] = [stretchOf(info, head, origin), stretchOf(info, tail, origin)];
		const duration = durationsOf(info, tail).at(-1) ?? 0;
		// Where only the next block tells how long one is, nothing would show that a part holds more.
		if (!opening || !closing || duration === 0) return null;
		const seconds = secondsOf(info, last) - origin + duration;
		const promised = info.durationSeconds;
		if (promised !== null && Math.abs(promised - seconds) > HEADER_SECONDS) return null;
		return {
			first: [first.at, first.clusterTicks],
			start: first.at,
			end,
			seconds,
			isConfirmed: promised !== null,
			ends: [opening, closing],
			read(bytes, offset) {
				const blocks = blocksIn(info, bytes, offset);
				return blocks && stretchOf(info, blocks, origin);
			},
		};
	}
	return null;
}

/** The blocks from the first cluster on. Null when something else lies among them. */
function blocksIn(info: AudioInfo, bytes: Uint8Array, offset: number): Block[] | null {
	const blocks: Block[] = [];
	const at = findCluster(bytes);
	if (at === -1) return blocks;
	const reader = new BlockReader((info.layout as WebmLayout).track, 0, (block) => blocks.push(block));
	reader.feed(bytes.subarray(at), offset + at);
	return reader.isAstray || blocks.length > MAX_CHUNK_PACKETS ? null : blocks;
}

/** Where a cluster begins, which it does with its time, or a checksum and its time; -1 when none does. */
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

/** Up to the last block, which only the next could show to be whole. Null when they do not fit one another. */
function stretchOf(info: AudioInfo, blocks: readonly Block[], origin: number): Stretch | null {
	const durations = durationsOf(info, blocks);
	const stretch: Stretch = { start: blocks[0]?.at ?? 0, end: blocks.at(-1)?.at ?? 0, packets: [] };
	let sound = 0;
	for (let index = 0; index < blocks.length - 1; index++) {
		const block = blocks[index] as Block;
		const seconds = secondsOf(info, block) - origin;
		const next = secondsOf(info, blocks[index + 1] as Block) - origin;
		const duration = durations[index] || Math.max(0, next - seconds);
		if (isBrokenStep(next - seconds - duration)) return null;
		const bytes = block.frames.reduce((sum, frame) => sum + frame.length, 0);
		const each = duration / block.frames.length || 0.02;
		const level = packetLevel(info.codec, block.frames[0] as Uint8Array, each);
		stretch.packets.push({ position: [block.at, block.clusterTicks], bytes, seconds, duration, level });
		sound += bytes + BLOCK_HEAD_BYTES;
	}
	return sound >= MIN_SHARE * (stretch.end - stretch.start) ? stretch : null;
}

const secondsOf = ({ layout }: AudioInfo, { ticks }: Block): number =>
	ticks * (layout as WebmLayout).secondsPerTick;

/** In seconds; 0 where the frames do not tell. */
function durationsOf(info: AudioInfo, blocks: readonly Block[]): number[] {
	const timer = frameTimer(info);
	return blocks.map(({ frames }) => frames.reduce((sum, frame) => sum + timer(frame), 0));
}
