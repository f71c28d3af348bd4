import { id3Length } from "../sniff.ts";

/** First byte of an ID3 tag. */
const LETTER_I = 0x49;
/** First byte of frames that need confirmation. */
const SYNC = 0xff;

/** Content of a frame header. */
export type Frame = {
	/** Size in bytes, header included. */
	size: number;
	/** Average size at a constant bit rate, from which the offset of every frame follows. Null if the bit rate varies. */
	meanSize: number | null;
	samples: number;
	rate: number;
	channels: number;
	/** Layer, profile or frame type. */
	kind: number;
};

/** A codec whose frames have their own headers, so that any sequence of frames is a valid file. */
export type FrameFormat = {
	headerBytes: number;
	/** True if a header counts only with another one behind its frame, because sync words occur in other data too. */
	needsConfirmation: boolean;
	/** Reads the frame header at `at`. Returns null if there is none. */
	read(bytes: Uint8Array, at: number): Frame | null;
	/** Returns the level of a frame. */
	level(bytes: Uint8Array, at: number, size: number, frame: Frame): number | null;
	/** Reports whether a frame contains metadata instead of audio. */
	isMetadata?(bytes: Uint8Array, at: number, frame: Frame): boolean;
};

export type FrameVisitor = (offset: number, frame: Frame, bytes: Uint8Array, at: number) => void;

/** Steps from frame to frame through bytes that arrive in pieces. Skips other bytes, such as tags and damage. */
export class FrameWalker {
	/** File offset at which the last frame ended. */
	end = 0;
	private skipping = 0;
	private synced = false;
	private readonly format: FrameFormat;
	private readonly visit: FrameVisitor;

	constructor(format: FrameFormat, visit: FrameVisitor) {
		this.format = format;
		this.visit = visit;
	}

	/** Takes bytes at file offset `offset` and returns how many it used. `isLast` says that no more bytes follow. */
	feed(bytes: Uint8Array, offset: number, isLast: boolean): number {
		const { headerBytes } = this.format;
		let at = Math.min(bytes.length, this.skipping);
		this.skipping -= at;
		while (at < bytes.length) {
			const left = bytes.length - at;
			const frame = left >= headerBytes ? this.format.read(bytes, at) : null;
			if (frame && frame.size <= left && this.isConfirmed(bytes, at, frame, isLast)) {
				if (!this.format.isMetadata?.(bytes, at, frame)) this.visit(offset + at, frame, bytes, at);
				this.synced = true;
				at += frame.size;
				this.end = offset + at;
				continue;
			}
			if (!isLast && (left < headerBytes || (frame && frame.size + headerBytes > left))) return at;
			const isTag = this.format.needsConfirmation && bytes[at] === LETTER_I;
			const tag = isTag ? id3Length(bytes.subarray(at, at + 10)) : 0;
			if (tag > 0) {
				const step = Math.min(tag, left);
				this.skipping = tag - step;
				at += step;
			} else {
				at++;
				if (this.format.needsConfirmation) while (at < bytes.length && !mayBegin(bytes[at])) at++;
				this.synced = false;
			}
		}
		return at;
	}

	private isConfirmed(bytes: Uint8Array, at: number, frame: Frame, isLast: boolean): boolean {
		if (!this.format.needsConfirmation || this.synced) return true;
		const behind = at + frame.size;
		if (behind + this.format.headerBytes > bytes.length) return isLast && this.end > 0;
		const next = this.format.read(bytes, behind);
		return next !== null && next.rate === frame.rate && next.kind === frame.kind;
	}
}

const mayBegin = (byte: number | undefined): boolean => byte === SYNC || byte === LETTER_I;

/** Finds the first frame of a stream: one with two more behind it. Returns null if the head contains none. */
export function findFirstFrame(format: FrameFormat, head: Uint8Array): { at: number; frame: Frame } | null {
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
		// A very short file may hold fewer, if they fill it exactly.
		if (count >= 3 || (count >= 1 && at === 0 && next === head.length)) return { at, frame };
	}
	return null;
}
