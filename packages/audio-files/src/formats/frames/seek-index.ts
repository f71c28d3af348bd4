import type { AudioInfo, Layout } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { frameFormatOf } from "../../codecs/codecs.ts";
import { type Frame, FrameWalker } from "../../codecs/frames.ts";
import { infoFrames } from "../../codecs/mpeg-audio.ts";
import type { PlacedPacket } from "../../packets.ts";
import type { Clock, Stretch } from "../../seek-index.ts";

type FramesLayout = Extract<Layout, { kind: "frames" }>;

/** What is read at either end: tags that old players put behind the sound are shorter. */
const END_BYTES = 8 * 1024;

/**
 * Frames of a constant rate: where the first lies, all others lie by count. Each frame that is read has to be of the first
 * one's kind and in its place, up to the one at the end; and where the file says how many there are, that has to be the count.
 */
export async function framesClock(source: AudioSource, info: AudioInfo): Promise<Clock | null> {
	const { start, end } = info.layout as FramesLayout;
	const format = frameFormatOf(info.codec);
	const head = await source.read(start, Math.min(end, start + END_BYTES));
	let first: { offset: number; frame: Frame } | undefined;
	new FrameWalker(format, (offset, frame) => {
		first ??= { offset, frame };
	}).feed(head, start, false);
	if (!first) return null;
	const { offset: base, frame: model } = first;
	const { mean } = model;
	if (mean === null) return null;
	// Encoders fill up to the rate by a slot here and there, each in its own rhythm.
	const slack = Math.ceil(Math.abs(model.size - mean));

	const read = (bytes: Uint8Array, offset: number, last = false): Stretch | null => {
		const next = Math.max(0, Math.ceil((offset + slack - base) / mean));
		const from = Math.floor(base + next * mean - slack);
		const skipped = Math.min(bytes.length, Math.max(0, from - offset));
		const stretch: Stretch = { start: offset + skipped, end: offset + skipped, packets: [] };
		let fits = true;
		const visit = (at: number, frame: Frame, b: Uint8Array, place: number) => {
			const number = Math.round((at - base) / mean);
			if (stretch.packets.length === 0) stretch.start = at;
			else fits &&= at === stretch.end;
			fits &&= isAlike(frame, model) && Math.abs(base + number * mean - at) <= slack + 1e-6;
			stretch.packets.push(packetAt(at, number, frame, format.level(b, place, frame.size, frame)));
			stretch.end = at + frame.size;
		};
		new FrameWalker(format, visit).feed(bytes.subarray(skipped), offset + skipped, last);
		if (stretch.packets.length > 0) fits &&= stretch.start - from <= 2 * slack;
		return fits ? stretch : null;
	};

	const opening = read(head, start);
	const tailAt = Math.max(base, end - END_BYTES);
	const closing = read(await source.read(tailAt, end), tailAt, true);
	const last = closing?.packets.at(-1);
	if (!opening || !closing || !last) return null;
	const seconds = last.seconds + last.duration;
	const promised = info.codec === "mp3" ? promisedFrames(head, base - start) : 0;
	const frames = Math.round((seconds * model.rate) / model.samples);
	// Some writers count the frame that tells the count.
	if (promised > 0 && promised !== frames && promised !== frames + 1) return null;
	return {
		first: [base, 0],
		start: base,
		end: closing.end,
		seconds,
		isConfirmed: true,
		ends: [opening, closing],
		read,
	};
}

const isAlike = (a: Frame, b: Frame): boolean =>
	a.mean === b.mean && a.rate === b.rate && a.kind === b.kind && a.channels === b.channels;

function packetAt(at: number, number: number, frame: Frame, level: number | null): PlacedPacket {
	const duration = frame.samples / frame.rate;
	return { position: [at, 0], bytes: frame.size, seconds: number * duration, duration, level };
}

/** The count of frames that stands before the first with sound; 0 when there is none. */
function promisedFrames(head: Uint8Array, soundAt: number): number {
	const format = frameFormatOf("mp3");
	const frame = soundAt > 0 ? format.read(head, 0) : null;
	return frame ? (infoFrames(head, 0, frame) ?? 0) : 0;
}
