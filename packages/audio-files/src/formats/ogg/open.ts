import { toBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioInfo, Layout } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { ascii, u8 } from "../../bytes.ts";
import { headerCount, identifyCodec, readStreamHeaders } from "../../codecs/headers.ts";
import { broken, noAudioTrack, unsupportedCodec } from "../../unsupported-audio.ts";
import {
	isWholePage,
	MAX_PAGE_BYTES,
	MAX_PAGE_HEADER_BYTES,
	type OggPage,
	pageRuns,
	readPage,
} from "./pages.ts";

export type OggLayout = Extract<Layout, { kind: "ogg" }>;

/** First bytes of streams that are not supported, and their names. */
const NAMES: [string, string][] = [
	["\x7fFLAC", "FLAC in Ogg"],
	["Speex   ", "Speex"],
	["\x80theora", "Theora video"],
	["CELT", "CELT"],
	["fishead", "no audio"],
];

/** Names the audio codec of a stream by its first packet. Returns null for video and for unknown streams. */
export function identifyAudio(packet: Uint8Array): string | null {
	const known = NAMES.find(([magic]) => ascii(packet, 0, magic.length) === magic)?.[1];
	return identifyCodec(packet) ?? (known !== undefined && !hasNoAudio(known) ? known : null);
}

/** Reports whether a name of `NAMES` belongs to a stream without audio. */
const hasNoAudio = (name: string): boolean => /video|no audio/.test(name);

/** Maximum size of header packets. Comments with cover pictures may be long. */
export const MAX_HEADER_BYTES = 8 * 1024 * 1024;

/** Bytes at the end to search for the last page. The second value applies if the first is not enough. */
const TAIL_BYTES = [12 * 1024, 2 * MAX_PAGE_BYTES];

/** Reads the headers of the first audio stream in an Ogg file, and its duration from the last page. */
export async function openOgg(source: AudioSource): Promise<AudioInfo> {
	const found = await findStream(source);
	const headers = await readPackets(source, found.serial, headerCount(found.codec));
	const codec = readStreamHeaders(headers.packets);
	if (!codec) throw broken("the headers of its audio stream are incomplete");
	const length = await lastGranule(source, found.serial);
	const ident = headers.packets[0] as Uint8Array;
	const setup = codec.codec === "vorbis" ? [headers.packets[2] as Uint8Array] : [];
	const samples = length === null ? null : length - codec.preSkip;
	return {
		container: "ogg",
		format: "ogg",
		codec: codec.codec,
		channels: codec.channels,
		sampleRate: codec.rate,
		durationSeconds: samples !== null && samples > 0 ? samples / codec.rate : null,
		exactDuration: false,
		sizeBytes: source.size,
		layout: {
			kind: "ogg",
			headers: [ident, ...setup].map(toBase64),
			serial: found.serial,
			start: headers.end,
			end: source.size,
			preSkip: codec.preSkip,
		},
	};
}

/** Finds the first stream with a supported codec. Every stream begins with a page of its own, before any data. */
async function findStream(source: AudioSource): Promise<{ serial: number; codec: "opus" | "vorbis" }> {
	const others: string[] = [];
	for (let at = 0; at < source.size; ) {
		const found = await pageAt(source, at);
		if (!found?.page.begins) break;
		const { bytes, page } = found;
		const packet = bytes.subarray(page.body, page.size);
		const codec = identifyCodec(packet);
		if (codec) return { serial: page.serial, codec };
		const known = NAMES.find(([magic]) => ascii(packet, 0, magic.length) === magic);
		others.push(known?.[1] ?? "an unknown codec");
		at += page.size;
	}
	if (others.length === 0) throw broken("its Ogg data contains no stream");
	const unsupported = others.filter((name) => !hasNoAudio(name));
	if (unsupported.length === 0) throw noAudioTrack();
	throw unsupportedCodec(unsupported.join(", "));
}

/** Reads the first `count` packets of a stream. `end` is the offset of the page behind them. */
async function readPackets(
	source: AudioSource,
	serial: number,
	count: number,
): Promise<{ packets: Uint8Array[]; end: number }> {
	const packets: Uint8Array[] = [];
	let open: Uint8Array[] = [];
	for (let at = 0; at < Math.min(source.size, MAX_HEADER_BYTES) && packets.length < count; ) {
		const found = await pageAt(source, at);
		if (!found || !isWholePage(found.bytes, 0, found.page)) break;
		const { bytes, page } = found;
		at += page.size;
		if (page.serial !== serial) continue;
		for (const { start, end, isLast } of pageRuns(bytes, page)) {
			open.push(bytes.slice(start, end));
			if (!isLast) continue;
			packets.push(concat(open));
			open = [];
		}
		if (packets.length >= count) return { packets: packets.slice(0, count), end: at };
	}
	throw broken("the headers of its audio stream are incomplete");
}

/** Reads the page that begins at `at`, and its bytes as far as the file has them. */
async function pageAt(source: AudioSource, at: number): Promise<{ bytes: Uint8Array; page: OggPage } | null> {
	const page = readPage(await source.read(at, Math.min(source.size, at + MAX_PAGE_HEADER_BYTES)), 0);
	return page && { page, bytes: await source.read(at, Math.min(source.size, at + page.size)) };
}

/** Returns the granule position of the last page. Null if the file ends with another stream, as chained files do. */
async function lastGranule(source: AudioSource, serial: number): Promise<number | null> {
	for (const length of TAIL_BYTES) {
		const bytes = await source.read(Math.max(0, source.size - length), source.size);
		for (let at = bytes.length - 27; at >= 0; at--) {
			const page = u8(bytes, at) === 0x4f ? readPage(bytes, at) : null;
			if (page && page.granule >= 0) return page.serial === serial ? page.granule : null;
		}
	}
	return null;
}
