import type { AudioInfo, Layout } from "../../audio-info.ts";
import { type AudioSource, walk } from "../../audio-source.ts";
import { concat, fromBase64, latin1, toBase64, u8, u24 } from "../../bytes.ts";
import {
	FlacWalker,
	MAX_HEADER_BYTES,
	readHeader,
	readStreamInfo,
	STREAM_INFO_BYTES,
} from "../../codecs/flac.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import type { PacketVisitor, Scan } from "../../packets.ts";
import { broken } from "../../unsupported-audio.ts";

export type FlacLayout = Extract<Layout, { kind: "flac" }>;

/** Reads the metadata blocks of a FLAC stream that begins at `at` (RFC 9639, 8). */
export async function openFlac(source: AudioSource, at: number): Promise<AudioInfo> {
	let streamInfo: Uint8Array | undefined;
	let place = at + 4;
	for (let last = false; !last; ) {
		if (place + 4 > source.size) throw broken("its metadata is cut off");
		const header = await source.read(place, place + 4);
		last = (u8(header, 0) & 0x80) !== 0;
		const size = u24(header, 1);
		if ((u8(header, 0) & 0x7f) === 0 && size >= STREAM_INFO_BYTES) {
			streamInfo = (
				await source.read(place + 4, Math.min(source.size, place + 4 + STREAM_INFO_BYTES))
			).slice();
		}
		place += 4 + size;
	}
	if (!streamInfo || streamInfo.length < STREAM_INFO_BYTES)
		throw broken("a FLAC file without its description");
	const described = readStreamInfo(streamInfo);
	if (described.sampleRate === 0) throw broken("a FLAC file without a sample rate");
	const first = readHeader(await source.read(place, Math.min(source.size, place + MAX_HEADER_BYTES)), 0);
	if (first?.rate && first.rate !== described.sampleRate) throw broken("its description contradicts itself");
	const known = described.totalSamples > 0;
	return {
		container: "flac",
		format: "flac",
		codec: "flac",
		channels: described.channels,
		sampleRate: described.sampleRate,
		durationSeconds: known ? described.totalSamples / described.sampleRate : null,
		exactDuration: known,
		sizeBytes: source.size,
		layout: { kind: "flac", streamInfo: toBase64(streamInfo), start: place, end: source.size },
	};
}

/** Walks the frames. Returns where the last frame ends and how long all are, in seconds. */
export async function scanFlac(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const { start, end } = info.layout as FlacLayout;
	const rate = info.sampleRate;
	let before = 0;
	const walker = new FlacWalker((offset, bytes, samples) => {
		const duration = samples / rate;
		visitor.add(offset, 0, bytes, before / rate, duration, rateLevel(bytes, duration));
		before += samples;
	});
	await walk(source, start, end, (bytes, offset, last) => walker.feed(bytes, offset, last));
	walker.finish(end);
	return { end: [end, 0], endSeconds: before / rate };
}

/** A FLAC file of frames that lie one after the other. */
export function flacFile(info: AudioInfo, frames: Uint8Array, seconds: number): Uint8Array<ArrayBuffer> {
	const streamInfo = fromBase64((info.layout as FlacLayout).streamInfo);
	return concat([flacHeader(streamInfo, Math.round(seconds * info.sampleRate)), frames]);
}

/** `fLaC` and STREAMINFO as the only metadata block, with another length and without the checksum of the whole. */
export function flacHeader(streamInfo: Uint8Array, samples: number): Uint8Array<ArrayBuffer> {
	const body = streamInfo.slice();
	body[13] = (u8(body, 13) & 0xf0) | (Math.floor(samples / 2 ** 32) & 15);
	new DataView(body.buffer, body.byteOffset).setUint32(14, samples >>> 0);
	body.fill(0, 18, 34);
	return concat([latin1("fLaC"), Uint8Array.of(0x80, 0, 0, STREAM_INFO_BYTES), body]);
}
