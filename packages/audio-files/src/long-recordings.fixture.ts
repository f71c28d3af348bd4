import { fromBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioInfo } from "./audio-info.ts";
import { type AudioSource, bytesSource } from "./audio-source.ts";
import { latin1 } from "./bytes.ts";
import { AMR_MAGIC } from "./codecs/amr.ts";
import { headersForSlice, readStreamHeaders } from "./codecs/headers.ts";
import { flacHeader } from "./formats/flac/flac.ts";
import { readOgg } from "./formats/ogg/ogg.ts";
import type { OggLayout } from "./formats/ogg/open.ts";
import { OggWriter } from "./formats/ogg/pages.ts";
import { readWebm, type WebmLayout } from "./formats/webm/webm.ts";
import { muxWebm } from "./mux.ts";
import { probe } from "./probe.ts";
import { fixture, fixtureSource } from "./recordings.fixture.ts";

// Recordings of minutes, made from the small fixtures or from random bytes. No test decodes them.

/** Returns bytes as a source that counts the bytes read and the reads. */
export function countedSource(bytes: Uint8Array): AudioSource & { bytesRead: number; reads: number } {
	const plain = bytesSource(bytes);
	const source = {
		size: bytes.length,
		bytesRead: 0,
		reads: 0,
		read(start: number, end: number) {
			source.bytesRead += end - start;
			source.reads++;
			return plain.read(start, end);
		},
	};
	return source;
}

/** Creates a random number generator that repeats for the same seed (a linear congruential generator). */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** Creates MPEG-1 layer III, mono, 44.1 kHz, with the padding of an encoder of constant bit rate. */
export function constantMp3(
	options: { kbps: number; frames: number; info?: boolean; infoCountsItself?: boolean },
	seed = 1,
): Uint8Array<ArrayBuffer> {
	const { kbps, frames, info = false, infoCountsItself = false } = options;
	const random = randomFrom(seed);
	const mean = (144_000 * kbps) / 44_100;
	const all: Uint8Array[] = [];
	for (let index = info ? -1 : 0, done = 0; index < frames; index++) {
		const size = index < 0 ? Math.floor(mean) : Math.floor((index + 1) * mean) - done;
		if (index >= 0) done += size;
		const frame = Uint8Array.from({ length: size }, () => random() * 255);
		const padding = size > Math.floor(mean) ? 2 : 0;
		frame.set([
			0xff,
			0xfb,
			(KBPS.indexOf(kbps) << 4) | padding,
			0xc4,
			0,
			0,
			10,
			0x80,
			80,
			180 - random() * 60,
		]);
		if (index < 0) {
			frame.fill(0, 4);
			frame.set(latin1("Info"), 21);
			new DataView(frame.buffer).setUint32(25, 1);
			new DataView(frame.buffer).setUint32(29, infoCountsItself ? frames + 1 : frames);
		}
		all.push(frame);
	}
	return concat(all);
}

/** Creates FLAC frames of random bytes with valid numbers and checksums. */
export function flac(
	{ frames, variable, declared }: { frames: number; variable: boolean; declared: boolean },
	seed = 1,
): Uint8Array<ArrayBuffer> {
	const random = randomFrom(seed);
	const all: Uint8Array[] = [];
	let samples = 0;
	for (let index = 0; index < frames; index++) {
		const block = index === frames - 1 ? 1000 : variable ? 2000 + Math.floor(random() * 4000) : 4096;
		const head = [0xff, variable ? 0xf9 : 0xf8, 0x75, 0x08, ...encodeNumber(variable ? samples : index)];
		head.push((block - 1) >> 8, (block - 1) & 255);
		head.push(checksum(head, 8, 0x07));
		const loud = index % 40 < 30 ? 1 : 0.3;
		const body = Array.from({ length: Math.floor((1500 + random() * 500) * loud) }, () =>
			Math.floor(random() * 256),
		);
		const sum = checksum([...head, ...body], 16, 0x8005);
		all.push(Uint8Array.from([...head, ...body, sum >> 8, sum & 255]));
		samples += block;
	}
	const streamInfo = new Uint8Array(34);
	new DataView(streamInfo.buffer).setUint32(10, (16_000 << 12) | (15 << 4));
	return concat([flacHeader(streamInfo, declared ? samples : 0), ...all]);
}

/** Encodes a number like UTF-8, but beyond the range of Unicode. */
function encodeNumber(value: number): number[] {
	if (value < 0x80) return [value];
	const more: number[] = [];
	let rest = value;
	for (let room = 0x20; ; room >>= 1) {
		more.unshift(0x80 | (rest & 0x3f));
		rest >>= 6;
		if (rest < room) return [((0xff00 >> (more.length + 1)) & 0xff) | rest, ...more];
	}
}

function checksum(bytes: readonly number[], bits: number, polynomial: number): number {
	const top = 1 << (bits - 1);
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << (bits - 8);
		for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & top ? polynomial : 0)) & (2 * top - 1);
	}
	return crc;
}

/** Repeats the packets of an Ogg fixture as one stream. */
export async function loopedOgg(name: string, times: number, serial = 7): Promise<Uint8Array<ArrayBuffer>> {
	const source = fixtureSource(name);
	const info = await probe(source);
	const layout = info.layout as OggLayout;
	const packets = await readOgg(source, info, [layout.start, 0], [source.size, 0]);
	const headers = headersOf(info);
	const timer = readStreamHeaders(headers)?.timer();
	const writer = new OggWriter(serial, info.sampleRate);
	for (const header of headers) writer.header(header);
	for (let time = 0; time < times; time++) {
		for (const { data } of packets) {
			writer.packet(data, timer?.((data[0] ?? 0) | ((data[1] ?? 0) << 8), data.length) ?? 0);
		}
	}
	return writer.finish();
}

/** Repeats the packets of the WebM fixture. */
export async function loopedWebm(times: number): Promise<Uint8Array<ArrayBuffer>> {
	const source = fixtureSource("speech.webm");
	const info = await probe(source);
	const { config, start } = info.layout as WebmLayout;
	const packets = await readWebm(source, info, [start, 0], [source.size, 0]);
	const all = Array.from({ length: times }, () => packets)
		.flat()
		.map(({ data, duration }, index) => ({ data, duration, seconds: index * duration }));
	const { channels, sampleRate } = info;
	return muxWebm({ codec: "opus", channels, sampleRate, config: fromBase64(config) }, all);
}

function headersOf({ codec, layout }: AudioInfo): Uint8Array[] {
	const { headers, preSkip } = layout as OggLayout;
	return headersForSlice(codec as "opus" | "vorbis", headers.map(fromBase64), preSkip);
}

/** Repeats the frames of the AMR fixture, including silence descriptors. */
export function loopedAmr(times: number): Uint8Array<ArrayBuffer> {
	const bytes = fixture("speech.amr");
	const start = AMR_MAGIC.amr_nb.length;
	return concat([bytes.subarray(0, start), ...Array(times).fill(bytes.subarray(start))]);
}

/** Creates AMR of 12.2 kbit/s without silence descriptors. */
export function constantAmr(frames: number): Uint8Array<ArrayBuffer> {
	const random = randomFrom(1);
	const frameBytes = Uint8Array.from({ length: 32 * frames }, (_, at) =>
		at % 32 === 0 ? 0x3c : random() * 256,
	);
	return concat([latin1(AMR_MAGIC.amr_nb), frameBytes]);
}
