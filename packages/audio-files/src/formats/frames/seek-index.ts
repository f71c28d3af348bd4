import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { frameFormatOf } from "../../codecs/codecs.ts";
import { type Frame, FrameWalker } from "../../codecs/frames.ts";
import { readFrameCount } from "../../codecs/mpeg-audio.ts";
import type { PlacedPacket } from "../../packets.ts";
import type { PacketRange, SeekIndex } from "../../seek-index.ts";
import type { FramesLayout } from "./frames.ts";

/** Bytes to read at either end. Tags that old players put behind the audio are shorter. */
const END_BYTES = 8 * 1024;

/**
 * Opens the seek index of frames with a constant bit rate: the offset of the first frame gives those of all others.
 *
 * Every frame that is read must be of the first one's kind and at its offset, up to the one at the end. If the file states its number
 * of frames, that must match too. Returns null otherwise.
 */
export async function framesSeekIndex(source: AudioSource, info: AudioInfo): Promise<SeekIndex | null> {
	const { start, end } = info.layout as FramesLayout;
	const format = frameFormatOf(info.codec);
	const head = await source.read(start, Math.min(end, start + END_BYTES));
	let first: { offset: number; frame: Frame } | undefined;
	new FrameWalker(format, (offset, frame) => {
		first ??= { offset, frame };
	}).feed(head, start, false);
	if (!first) return null;
	const { offset: base, frame: model } = first;
	const { meanSize } = model;
	if (meanSize === null) return null;
	// Encoders pad frames to keep the rate, each in its own rhythm.
	const slack = Math.ceil(Math.abs(model.size - meanSize));

	const read = (bytes: Uint8Array, offset: number, isLast = false): PacketRange | null => {
		const next = Math.max(0, Math.ceil((offset + slack - base) / meanSize));
		const from = Math.floor(base + next * meanSize - slack);
		const skipped = Math.min(bytes.length, Math.max(0, from - offset));
		const range: PacketRange = { start: offset + skipped, end: offset + skipped, packets: [] };
		let fits = true;
		const visit = (at: number, frame: Frame, b: Uint8Array, frameAt: number) => {
			const number = Math.round((at - base) / meanSize);
			if (range.packets.length === 0) range.start = at;
			else fits &&= at === range.end;
			fits &&= isAlike(frame, model) && Math.abs(base + number * meanSize - at) <= slack + 1e-6;
			range.packets.push(packetAt(at, number, frame, format.level(b, frameAt, frame.size, frame)));
			range.end = at + frame.size;
		};
		new FrameWalker(format, visit).feed(bytes.subarray(skipped), offset + skipped, isLast);
		if (range.packets.length > 0) fits &&= range.start - from <= 2 * slack;
		return fits ? range : null;
	};

	const opening = read(head, start);
	const tailAt = Math.max(base, end - END_BYTES);
	const closing = read(await source.read(tailAt, end), tailAt, true);
	const last = closing?.packets.at(-1);
	if (!opening || !closing || !last) return null;
	const durationSeconds = last.seconds + last.duration;
	const declared = info.codec === "mp3" ? declaredFrames(head, base - start) : 0;
	const frames = Math.round((durationSeconds * model.rate) / model.samples);
	// Some writers count the frame that states the number.
	if (declared > 0 && declared !== frames && declared !== frames + 1) return null;
	return {
		first: [base, 0],
		start: base,
		end: closing.end,
		durationSeconds,
		isConfirmed: true,
		ends: [opening, closing],
		read,
	};
}

const isAlike = (a: Frame, b: Frame): boolean =>
	a.meanSize === b.meanSize && a.rate === b.rate && a.kind === b.kind && a.channels === b.channels;

function packetAt(at: number, number: number, frame: Frame, level: number | null): PlacedPacket {
	const duration = frame.samples / frame.rate;
	return { position: [at, 0], bytes: frame.size, seconds: number * duration, duration, level };
}

/** Reads the frame count in front of the first frame with audio, at `audioAt`. Returns 0 if there is none. */
function declaredFrames(head: Uint8Array, audioAt: number): number {
	const format = frameFormatOf("mp3");
	const frame = audioAt > 0 ? format.read(head, 0) : null;
	return frame ? (readFrameCount(head, 0, frame) ?? 0) : 0;
}
