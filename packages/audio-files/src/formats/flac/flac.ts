import { fromBase64, toBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioInfo, Layout } from "../../audio-info.ts";
import { type AudioSource, readSequentially } from "../../audio-source.ts";
import { latin1, u8, u24 } from "../../bytes.ts";
import {
	FlacWalker,
	MAX_FRAME_HEADER_BYTES,
	readFlacFrame,
	readStreamInfo,
	STREAM_INFO_BYTES,
} from "../../codecs/flac.ts";
import { rateLevel } from "../../codecs/loudness.ts";
import type { PacketVisitor, Scan } from "../../packets.ts";
import { broken } from "../../unsupported-audio.ts";

export type FlacLayout = Extract<Layout, { kind: "flac" }>;

/** Reads the metadata blocks of a FLAC file that begins at `at` (RFC 9639, 8). */
export async function openFlac(source: AudioSource, at: number): Promise<AudioInfo> {
	let streamInfo: Uint8Array | undefined;
	let blockAt = at + 4;
	for (let last = false; !last; ) {
		if (blockAt + 4 > source.size) throw broken("its metadata is cut off");
		const header = await source.read(blockAt, blockAt + 4);
		last = (u8(header, 0) & 0x80) !== 0;
		const size = u24(header, 1);
		if ((u8(header, 0) & 0x7f) === 0 && size >= STREAM_INFO_BYTES) {
			streamInfo = (
				await source.read(blockAt + 4, Math.min(source.size, blockAt + 4 + STREAM_INFO_BYTES))
			).slice();
		}
		blockAt += 4 + size;
	}
	if (!streamInfo || streamInfo.length < STREAM_INFO_BYTES) throw broken("its STREAMINFO block is missing");
	const described = readStreamInfo(streamInfo);
	if (described.sampleRate === 0) throw broken("its STREAMINFO block has no sample rate");
	const first = readFlacFrame(
		await source.read(blockAt, Math.min(source.size, blockAt + MAX_FRAME_HEADER_BYTES)),
		0,
	);
	if (first?.rate && first.rate !== described.sampleRate)
		throw broken("its STREAMINFO block contradicts its frames");
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
		layout: { kind: "flac", streamInfo: toBase64(streamInfo), start: blockAt, end: source.size },
	};
}

/** Visits all frames of the file. */
export async function scanFlac(source: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const { start, end } = info.layout as FlacLayout;
	const rate = info.sampleRate;
	let before = 0;
	const walker = new FlacWalker((offset, bytes, samples) => {
		const duration = samples / rate;
		visitor.add(offset, 0, bytes, before / rate, duration, rateLevel(bytes, duration));
		before += samples;
	});
	await readSequentially(source, start, end, (bytes, offset, last) => walker.feed(bytes, offset, last));
	walker.finish(end);
	return { end: [end, 0], endSeconds: before / rate };
}

/** Writes consecutive frames into a FLAC file. */
export function writeFlac(info: AudioInfo, frames: Uint8Array, seconds: number): Uint8Array<ArrayBuffer> {
	const streamInfo = fromBase64((info.layout as FlacLayout).streamInfo);
	return concat([flacHeader(streamInfo, Math.round(seconds * info.sampleRate)), frames]);
}

/** Returns `fLaC` and STREAMINFO as the only metadata block, with its own length and without the checksum of the audio. */
export function flacHeader(streamInfo: Uint8Array, samples: number): Uint8Array<ArrayBuffer> {
	const body = streamInfo.slice();
	body[13] = (u8(body, 13) & 0xf0) | (Math.floor(samples / 2 ** 32) & 15);
	new DataView(body.buffer, body.byteOffset).setUint32(14, samples >>> 0);
	body.fill(0, 18, 34);
	return concat([latin1("fLaC"), Uint8Array.of(0x80, 0, 0, STREAM_INFO_BYTES), body]);
}
