import { fromBase64 } from "@parley/bytes/base64";
import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { type FlacFrame, isNextFrame, readFlacFrame, readStreamInfo } from "../../codecs/flac.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import type { PacketRange, SeekIndex } from "../../seek-index.ts";
import type { FlacLayout } from "./flac.ts";

/** Bytes to read at either end. The next value applies if the one before holds no complete frame. */
const END_BYTES = [16 * 1024, 128 * 1024, 1024 * 1024];

/** Maximum number of false headers, by chance or of damaged frames, before the first valid frame. */
const MAX_FALSE_HEADERS = 16;

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
	let crc = byte << 8;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0);
	return crc & 0xffff;
});

/** Frames whose end is confirmed by their checksum and the next frame, and that next frame, whose end is unknown. */
type FrameRun = { frames: { frame: FlacFrame; at: number; end: number }[]; next: FlacFrame | null };

/**
 * Opens the seek index of a FLAC file. Frames state their own number or that of their first sample. Together with the checksum of a
 * frame and the header behind it, that confirms the offset and the time of the frame.
 *
 * Returns null if frames are damaged, if their kinds differ, or if STREAMINFO states another length.
 */
export async function flacSeekIndex(source: AudioSource, info: AudioInfo): Promise<SeekIndex | null> {
	const { start, end, streamInfo } = info.layout as FlacLayout;
	const head = await readRun(source, (bytes) => [start, Math.min(end, start + bytes)]);
	const tail = await readRun(source, (bytes) => [Math.max(start, end - bytes), end]);
	const first = head?.frames[0];
	const last = tail?.next;
	if (!head || !tail || first?.at !== start || last?.hasVariableBlocks !== first.frame.hasVariableBlocks)
		return null;
	const { frame: model } = first;
	const rate = info.sampleRate;
	const sampleOf = ({ number }: FlacFrame) =>
		(number - model.number) * (model.hasVariableBlocks ? 1 : model.samples);

	const toRange = ({ frames }: FrameRun): PacketRange | null => {
		const isAlike = ({ hasVariableBlocks, samples }: FlacFrame) =>
			hasVariableBlocks === model.hasVariableBlocks && (hasVariableBlocks || samples === model.samples);
		if (!frames.every(({ frame }) => isAlike(frame))) return null;
		const packets = frames.map(({ at, end, frame }) => {
			const duration = frame.samples / rate;
			const seconds = sampleOf(frame) / rate;
			const level = rateLevel(end - at, duration);
			return { position: [at, 0] as [number, number], bytes: end - at, seconds, duration, level };
		});
		return { start: frames[0]?.at ?? 0, end: frames.at(-1)?.end ?? 0, packets };
	};

	const [opening, closing] = [toRange(head), toRange(tail)];
	const samples = sampleOf(last) + last.samples;
	const declared = readStreamInfo(fromBase64(streamInfo)).totalSamples;
	if (!opening || !closing || (declared > 0 && declared !== samples)) return null;
	return {
		first: [start, 0],
		start,
		end,
		durationSeconds: samples / rate,
		isConfirmed: declared > 0,
		ends: [opening, closing],
		read(bytes, offset) {
			const run = findFrames(bytes, offset);
			return run && toRange(run);
		},
	};
}

/** Reads frames at one end of the file. Reads as many bytes as it takes to find two. */
async function readRun(
	source: AudioSource,
	rangeOf: (bytes: number) => [from: number, to: number],
): Promise<FrameRun | null> {
	for (const length of END_BYTES) {
		const [from, to] = rangeOf(length);
		const run = findFrames(await source.read(from, to), from);
		if (!run || run.frames.length > 0) return run;
		if (to - from < length) break;
	}
	return null;
}

/**
 * Finds the frames whose end is among the bytes. Returns null if one of them is damaged, or if there are more false headers than
 * chance would produce.
 */
function findFrames(bytes: Uint8Array, offset: number): FrameRun | null {
	const run: FrameRun = { frames: [], next: null };
	let falseHeaders = 0;
	for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		for (let frame = readFlacFrame(bytes, at); frame; frame = run.next) {
			const end = findFrameEnd(bytes, at, frame);
			if (end === null) break;
			run.frames.push({ frame, at: offset + at, end: offset + end });
			run.next = readFlacFrame(bytes, end);
			at = end;
		}
		if (run.next) return isCutOff(bytes, at, run.next) ? run : null;
		if (readFlacFrame(bytes, at) && ++falseHeaders > MAX_FALSE_HEADERS) return null;
	}
	return run;
}

/** Reports whether the frame continues beyond the bytes. Otherwise it ends among them without a valid checksum. */
function isCutOff(bytes: Uint8Array, from: number, frame: FlacFrame): boolean {
	for (let at = bytes.indexOf(0xff, from + 1); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		const other = readFlacFrame(bytes, at);
		if (other && isNextFrame(frame, other)) return false;
	}
	return true;
}

/** Finds the end of a frame, where its checksum matches and the next frame begins. Returns null if it is not among the bytes. */
function findFrameEnd(bytes: Uint8Array, at: number, frame: FlacFrame): number | null {
	let crc = 0;
	for (let cursor = at; cursor < bytes.length; cursor++) {
		crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ (bytes[cursor] as number)] as number);
		if (crc !== 0 || bytes[cursor + 1] !== 0xff) continue;
		const next = readFlacFrame(bytes, cursor + 1);
		if (next && isNextFrame(frame, next)) return cursor + 1;
	}
	return null;
}
