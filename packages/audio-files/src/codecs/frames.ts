import { id3Length } from "../sniff.ts";

/** What a tag begins with: "ID3". */
const LETTER_I = 0x49;
/** What a frame that has to be confirmed begins with. */
const SYNC = 0xff;

export type Frame = {
	/** In bytes, header included. */
	size: number;
	/** Bytes of a frame on average where all are of this kind, so that the place of each is known; null where it varies. */
	mean: number | null;
	samples: number;
	rate: number;
	channels: number;
	/** Layer, profile or frame type. */
	kind: number;
};

/** A stream whose frames carry their own headers, so that any run of frames is a valid file. */
export type FrameFormat = {
	headerBytes: number;
	/** A header counts only with another behind its frame, since sync words occur in other data too. */
	confirm: boolean;
	read(bytes: Uint8Array, at: number): Frame | null;
	level(bytes: Uint8Array, at: number, size: number, frame: Frame): number | null;
	isMetadata?(bytes: Uint8Array, at: number, frame: Frame): boolean;
};

export type FrameVisitor = (offset: number, frame: Frame, bytes: Uint8Array, at: number) => void;

/**
 * Steps from frame to frame through bytes that arrive in pieces. Bytes that are no frame (tags, damage) are passed over and
 * counted.
 */
export class FrameWalker {
	junkBytes = 0;
	/** Where the last frame ended. */
	end = 0;
	private skipping = 0;
	private synced = false;
	private readonly format: FrameFormat;
	private readonly visit: FrameVisitor;

	constructor(format: FrameFormat, visit: FrameVisitor) {
		this.format = format;
		this.visit = visit;
	}

	/** Takes what it can of the bytes at file place `offset`, returns how many; with `last` nothing comes behind. */
	feed(bytes: Uint8Array, offset: number, last: boolean): number {
		const { headerBytes } = this.format;
		let at = Math.min(bytes.length, this.skipping);
		this.skipping -= at;
		while (at < bytes.length) {
			const left = bytes.length - at;
			const frame = left >= headerBytes ? this.format.read(bytes, at) : null;
			if (frame && frame.size <= left && this.confirmed(bytes, at, frame, last)) {
				if (!this.format.isMetadata?.(bytes, at, frame)) this.visit(offset + at, frame, bytes, at);
				this.synced = true;
				at += frame.size;
				this.end = offset + at;
				continue;
			}
			if (!last && (left < headerBytes || (frame && frame.size + headerBytes > left))) return at;
			const isTag = this.format.confirm && bytes[at] === LETTER_I;
			const tag = isTag ? id3Length(bytes.subarray(at, at + 10)) : 0;
			if (tag > 0) {
				const step = Math.min(tag, left);
				this.skipping = tag - step;
				at += step;
			} else {
				const from = at++;
				if (this.format.confirm) while (at < bytes.length && !mayBegin(bytes[at])) at++;
				this.junkBytes += at - from;
				this.synced = false;
			}
		}
		return at;
	}

	private confirmed(bytes: Uint8Array, at: number, frame: Frame, last: boolean): boolean {
		if (!this.format.confirm || this.synced) return true;
		const behind = at + frame.size;
		if (behind + this.format.headerBytes > bytes.length) return last && this.end > 0;
		const next = this.format.read(bytes, behind);
		return next !== null && next.rate === frame.rate && next.kind === frame.kind;
	}
}

const mayBegin = (byte: number | undefined): boolean => byte === SYNC || byte === LETTER_I;

/** The first frames of a stream, found from its head: null when it holds none. */
export function firstFrame(format: FrameFormat, head: Uint8Array): { at: number; frame: Frame } | null {
	for (let at = 0; at + format.headerBytes <= head.length; at++) {
		const frame = format.read(head, at);
		if (!frame) continue;
		let next = at + frame.size;
		let count = 1;
		while (count < 4 && next + format.headerBytes <= head.length) {
			const following = format.read(head, next);
			if (!following || following.rate !== frame.rate || following.kind !== frame.kind) break;
			next += following.size;
			count++;
		}
		// Three in a row; or fewer, when they reach exactly to the end.
		if (count >= 3 || (count >= 1 && at === 0 && next === head.length)) return { at, frame };
	}
	return null;
}
