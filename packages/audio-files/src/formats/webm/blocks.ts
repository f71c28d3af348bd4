import { u8, u16 } from "../../bytes.ts";
import { readElement, readUint } from "./ebml.ts";

const EBML = 0x1a45dfa3;
export const SEGMENT = 0x18538067;
export const CLUSTER = 0x1f43b675;
export const CLUSTER_TIME = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
/** Maximum size of a block. A larger one is damaged. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;
/** Maximum length of an element header. */
const ELEMENT_HEADER_BYTES = 12;

/** A block of the track. `at` is the file offset of its element. */
export type Block = { at: number; clusterTicks: number; ticks: number; frames: Uint8Array[] };

/** Visits the blocks of one track in order. Reads elements as one flat list, so clusters may be of unknown length. */
export class BlockReader {
	clusterTicks: number;
	/** True after invalid data, or after the start of another file. */
	isInvalid = false;
	private skipping = 0;
	private group: number | null = null;
	private readonly track: number;
	private readonly visit: (block: Block) => void;

	constructor(track: number, clusterTicks: number, visit: (block: Block) => void) {
		this.track = track;
		this.clusterTicks = clusterTicks;
		this.visit = visit;
	}

	/** Takes bytes in order and returns how many it used. */
	feed(bytes: Uint8Array, offset: number): number {
		let at = Math.min(bytes.length, this.skipping);
		this.skipping -= at;
		while (at < bytes.length) {
			const element = readElement(bytes, at);
			if (!element) {
				if (bytes.length - at < ELEMENT_HEADER_BYTES) return at;
				this.isInvalid = true;
				at++;
				continue;
			}
			this.isInvalid ||= element.id === SEGMENT || element.id === EBML;
			if (
				element.id === SEGMENT ||
				element.id === CLUSTER ||
				element.id === BLOCK_GROUP ||
				element.end === null
			) {
				this.group = element.id === BLOCK_GROUP ? offset + at : null;
				at = element.body;
				continue;
			}
			const wanted = element.id === SIMPLE_BLOCK || element.id === BLOCK || element.id === CLUSTER_TIME;
			if (wanted && element.end - at > MAX_BLOCK_BYTES) {
				this.isInvalid = true;
				at++;
				continue;
			}
			if (wanted && element.end > bytes.length) return at;
			if (element.id === CLUSTER_TIME) this.clusterTicks = readUint(bytes, element.body, element.end);
			else if (wanted) {
				const start = element.id === BLOCK && this.group !== null ? this.group : offset + at;
				const block = readBlock(bytes, element.body, element.end, start, this.track, this.clusterTicks);
				if (block) this.visit(block);
			}
			const next = Math.min(bytes.length, element.end);
			this.skipping = element.end - next;
			at = next;
		}
		return at;
	}
}

function readBlock(
	b: Uint8Array,
	body: number,
	end: number,
	at: number,
	track: number,
	clusterTicks: number,
): Block | null {
	const first = u8(b, body);
	const width = Math.clz32(first << 24) + 1;
	let number = first & ((1 << (8 - width)) - 1);
	for (let index = 1; index < width; index++) number = number * 256 + u8(b, body + index);
	if (width > 8 || number !== track) return null;
	const relative = (u16(b, body + width) << 16) >> 16;
	const flags = u8(b, body + width + 2);
	const frames = splitFrames(b, body + width + 3, end, (flags >> 1) & 3).filter(({ length }) => length > 0);
	return frames.length === 0 ? null : { at, clusterTicks, ticks: clusterTicks + relative, frames };
}

/** Splits a block into its frames by its lacing (RFC 9559, 10.3): none, Xiph, fixed-size or EBML. */
function splitFrames(b: Uint8Array, from: number, to: number, lacing: number): Uint8Array[] {
	if (lacing === 0) return [b.subarray(from, to)];
	let at = from + 1;
	// Ignores empty frames: a few bytes could declare hundreds.
	const count = Math.min(u8(b, from) + 1, to - at);
	if (count < 1) return [];
	const sizes: number[] = [];
	if (lacing === 1) {
		while (sizes.length < count - 1) {
			let size = 0;
			let byte = 255;
			while (byte === 255 && at < to) {
				byte = u8(b, at++);
				size += byte;
			}
			sizes.push(size);
		}
	} else if (lacing === 3) {
		while (sizes.length < count - 1) {
			const width = Math.clz32(u8(b, at) << 24) + 1;
			let value = u8(b, at) & ((1 << (8 - width)) - 1);
			for (let index = 1; index < width; index++) value = value * 256 + u8(b, at + index);
			at += width;
			const previous = sizes.at(-1);
			sizes.push(previous === undefined ? value : previous + value - (2 ** (7 * width - 1) - 1));
		}
	} else for (let index = 1; index < count; index++) sizes.push(Math.floor((to - at) / count));
	const frames: Uint8Array[] = [];
	for (const size of sizes) {
		frames.push(b.subarray(at, Math.min(to, at + size)));
		at += size;
	}
	frames.push(b.subarray(Math.min(at, to), to));
	return frames;
}
