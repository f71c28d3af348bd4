import type { AudioInfo } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { fromBase64 } from "../../bytes.ts";
import { type FlacFrame, isNext, readHeader, readStreamInfo } from "../../codecs/flac.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import type { Clock, Stretch } from "../../seek-index.ts";
import type { FlacLayout } from "./flac.ts";

/** What is read at either end: more where a frame is longer. */
const END_BYTES = [16 * 1024, 128 * 1024, 1024 * 1024];

/** Headers that chance made, or of damaged frames, before the first that holds. */
const MAX_MISLED = 16;

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
	let crc = byte << 8;
	for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0);
	return crc & 0xffff;
});

/** Frames whose end their checksum and the number of the next have shown, and that next one, whose end is not at hand. */
type Run = { frames: { frame: FlacFrame; at: number; end: number }[]; next: FlacFrame | null };

/**
 * FLAC frames carry the number of their first sample, or their own where all are of one length. That number, the checksum
 * of each frame and the header behind it leave no doubt of where a frame is and when.
 */
export async function flacClock(source: AudioSource, info: AudioInfo): Promise<Clock | null> {
	const { start, end, streamInfo } = info.layout as FlacLayout;
	const head = await readRun(source, (bytes) => [start, Math.min(end, start + bytes)]);
	const tail = await readRun(source, (bytes) => [Math.max(start, end - bytes), end]);
	const first = head?.frames[0];
	const last = tail?.next;
	if (!head || !tail || first?.at !== start || last?.variable !== first.frame.variable) return null;
	const { frame: model } = first;
	const rate = info.sampleRate;
	const sampleOf = ({ number }: FlacFrame) => (number - model.number) * (model.variable ? 1 : model.samples);

	const toStretch = ({ frames }: Run): Stretch | null => {
		const isAlike = ({ variable, samples }: FlacFrame) =>
			variable === model.variable && (variable || samples === model.samples);
		if (!frames.every(({ frame }) => isAlike(frame))) return null;
		const packets = frames.map(({ at, end, frame }) => {
			const duration = frame.samples / rate;
			const seconds = sampleOf(frame) / rate;
			const level = rateLevel(end - at, duration);
			return { position: [at, 0] as [number, number], bytes: end - at, seconds, duration, level };
		});
		return { start: frames[0]?.at ?? 0, end: frames.at(-1)?.end ?? 0, packets };
	};

	const [opening, closing] = [toStretch(head), toStretch(tail)];
	const samples = sampleOf(last) + last.samples;
	const promised = readStreamInfo(fromBase64(streamInfo)).totalSamples;
	if (!opening || !closing || (promised > 0 && promised !== samples)) return null;
	return {
		first: [start, 0],
		start,
		end,
		seconds: samples / rate,
		isConfirmed: promised > 0,
		ends: [opening, closing],
		read(bytes, offset) {
			const run = runOf(bytes, offset);
			return run && toStretch(run);
		},
	};
}

/** A run at one end of the file, of as many bytes as it takes to find two frames. */
async function readRun(
	source: AudioSource,
	rangeOf: (bytes: number) => [from: number, to: number],
): Promise<Run | null> {
	for (const length of END_BYTES) {
		const [from, to] = rangeOf(length);
		const run = runOf(await source.read(from, to), from);
		if (!run || run.frames.length > 0) return run;
		if (to - from < length) break;
	}
	return null;
}

/**
 * The frames from the first whose end is among the bytes, up to the last whose end is. Null when one of them is damaged, or
 * when more headers lead to nothing than chance makes.
 */
function runOf(bytes: Uint8Array, offset: number): Run | null {
	const run: Run = { frames: [], next: null };
	let misled = 0;
	for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		for (let frame = readHeader(bytes, at); frame; frame = run.next) {
			const end = endOf(bytes, at, frame);
			if (end === null) break;
			run.frames.push({ frame, at: offset + at, end: offset + end });
			run.next = readHeader(bytes, end);
			at = end;
		}
		if (run.next) return isCutOff(bytes, at, run.next) ? run : null;
		if (readHeader(bytes, at) && ++misled > MAX_MISLED) return null;
	}
	return run;
}

/** Whether the frame goes on beyond the bytes, rather than to end somewhere without its checksum. */
function isCutOff(bytes: Uint8Array, from: number, frame: FlacFrame): boolean {
	for (let at = bytes.indexOf(0xff, from + 1); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		const other = readHeader(bytes, at);
		if (other && isNext(frame, other)) return false;
	}
	return true;
}

/** Where a frame ends: its checksum comes out there, and the frame behind has the next number. */
function endOf(bytes: Uint8Array, at: number, frame: FlacFrame): number | null {
	let crc = 0;
	for (let place = at; place < bytes.length; place++) {
		crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ (bytes[place] as number)] as number);
		if (crc !== 0 || bytes[place + 1] !== 0xff) continue;
		const next = readHeader(bytes, place + 1);
		if (next && isNext(frame, next)) return place + 1;
	}
	return null;
}
