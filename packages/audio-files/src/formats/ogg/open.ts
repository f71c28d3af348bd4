import type { AudioInfo, Layout } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { ascii, concat, toBase64, u8 } from "../../bytes.ts";
import { headerCount, identify, readHeaders } from "../../codecs/headers.ts";
import { broken, UnsupportedAudio, unsupportedCodec } from "../../unsupported-audio.ts";
import {
	isWholePage,
	MAX_PAGE_BYTES,
	MAX_PAGE_HEADER_BYTES,
	type OggPage,
	pageRuns,
	readPage,
} from "./pages.ts";

export type OggLayout = Extract<Layout, { kind: "ogg" }>;

const NAMES: [string, string][] = [
	["\x7fFLAC", "FLAC in Ogg"],
	["Speex   ", "Speex"],
	["\x80theora", "Theora video"],
	["CELT", "CELT"],
	["fishead", "no sound"],
];

/** Names what the first packet of a stream says that it sounds by; null for video, or for what is not known. */
export function soundOf(packet: Uint8Array): string | null {
	const known = NAMES.find(([magic]) => ascii(packet, 0, magic.length) === magic)?.[1];
	return identify(packet) ?? (known !== undefined && !isSilent(known) ? known : null);
}

/** Whether a name of `NAMES` is one of a stream without sound. */
const isSilent = (name: string): boolean => /video|no sound/.test(name);

/** Comments with cover pictures can be long; codebooks cannot. */
export const MAX_HEADER_BYTES = 8 * 1024 * 1024;

/** Where the last page is looked for: most are small. */
const TAIL_BYTES = [12 * 1024, 2 * MAX_PAGE_BYTES];

/** Reads the headers of the first audio stream in an Ogg file, and its length from the last page. */
export async function openOgg(source: AudioSource): Promise<AudioInfo> {
	const found = await findStream(source);
	const headers = await readPackets(source, found.serial, headerCount(found.codec));
	const codec = readHeaders(headers.packets);
	if (!codec) throw broken("the headers of its sound are incomplete");
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

/** Streams begin with a page each, before any data; the first with sound that can be read is taken. */
async function findStream(source: AudioSource): Promise<{ serial: number; codec: "opus" | "vorbis" }> {
	const others: string[] = [];
	for (let at = 0; at < source.size; ) {
		const found = await pageAt(source, at);
		if (!found?.page.begins) break;
		const { bytes, page } = found;
		const packet = bytes.subarray(page.body, page.size);
		const codec = identify(packet);
		if (codec) return { serial: page.serial, codec };
		const known = NAMES.find(([magic]) => ascii(packet, 0, magic.length) === magic);
		others.push(known?.[1] ?? "an unknown codec");
		at += page.size;
	}
	if (others.length === 0) throw broken("an Ogg file without a stream");
	const coded = others.filter((name) => !isSilent(name));
	if (coded.length === 0) throw new UnsupportedAudio("no_audio_track", "The file holds no sound.");
	throw unsupportedCodec(coded.join(", "));
}

/** The first `count` packets of a stream and where the page after them begins. */
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
	throw broken("the headers of its sound are incomplete");
}

/** The page that begins here, and its bytes: as many of them as there are. */
async function pageAt(source: AudioSource, at: number): Promise<{ bytes: Uint8Array; page: OggPage } | null> {
	const page = readPage(await source.read(at, Math.min(source.size, at + MAX_PAGE_HEADER_BYTES)), 0);
	return page && { page, bytes: await source.read(at, Math.min(source.size, at + page.size)) };
}

/** Granule position of the stream's last page; null when the file ends with another stream, as chained files do. */
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
