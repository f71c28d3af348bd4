import { toBase64 } from "@parley/bytes/base64";
import type { AudioInfo, Layout } from "../../audio-info.ts";
import type { AudioSource } from "../../audio-source.ts";
import { ascii, i32, u8, u32, u64 } from "../../bytes.ts";
import { broken, emptyAudio, noAudioTrack } from "../../unsupported-audio.ts";
import { type Box, fileBoxes } from "./boxes.ts";
import { brandOf, readSampleEntry, type SampleEntry } from "./sample-entry.ts";

export type Mp4Layout = Extract<Layout, { kind: "mp4" }>;
export type FragmentsLayout = Extract<Layout, { kind: "mp4-fragments" }>;

/** Maximum bytes to read of one box. The long sample tables are not read here. */
const MAX_BOX_BYTES = 1024 * 1024;
/** Maximum number of boxes on one level, up to the index and the first fragment. */
const MAX_BOXES = 50_000;
/** Boxes that lead to the tables of a track, each in the one before. */
const PATH = ["mdia", "minf", "stbl"];

type Track = {
	id: number;
	timescale: number;
	ticks: number;
	audio: SampleEntry;
	samples: number;
	tables: Box;
};

/** Finds the first audio track of an MP4, M4A, MOV or 3GP file. Its index may precede or follow the audio data. */
export async function openMp4(source: AudioSource): Promise<AudioInfo> {
	let moov: Box | undefined;
	let fragments: number | undefined;
	let video = false;
	const head = await source.read(0, Math.min(source.size, 16));
	for await (const box of fileBoxes(source, 0, source.size, MAX_BOXES)) {
		if (box.type === "moov") moov = box;
		if (box.type === "moof") fragments ??= box.start;
		if (moov && fragments !== undefined) break;
	}
	if (!moov || moov.end > source.size)
		throw broken("its index (moov) is missing, so it was probably cut off");
	const tracks: Track[] = [];
	const defaults = new Map<number, [number, number]>();
	for await (const box of fileBoxes(source, moov.body, moov.end, MAX_BOXES)) {
		if (box.type === "trak") {
			const track = await readTrack(source, box, moov.end);
			if (track === "video") video = true;
			else if (track) tracks.push(track);
		}
		if (box.type === "mvex") {
			for await (const inner of fileBoxes(source, box.body, Math.min(box.end, moov.end), MAX_BOXES)) {
				if (inner.type !== "trex") continue;
				const trex = await readBox(source, inner);
				defaults.set(u32(trex, 4), [u32(trex, 12), u32(trex, 16)]);
			}
		}
	}
	const track = tracks.find((candidate) => candidate.samples > 0) ?? tracks[0];
	if (!track) throw noAudioTrack();
	const common = {
		container: "mp4",
		format: !video && (brandOf(head).startsWith("M4A") || brandOf(head).startsWith("M4B")) ? "m4a" : "mp4",
		codec: track.audio.codec,
		channels: track.audio.channels,
		sampleRate: track.audio.sampleRate,
		sizeBytes: source.size,
	} as const;
	const { timescale } = track;
	if (timescale === 0) throw broken("its audio track has no time scale");
	const config = toBase64(track.audio.config);
	if (track.samples > 0) {
		const tables: [number, number] = [track.tables.body, track.tables.end];
		const durationSeconds = track.ticks > 0 ? track.ticks / timescale : null;
		const layout: Mp4Layout = { kind: "mp4", config, timescale, samples: track.samples, tables };
		return { ...common, durationSeconds, exactDuration: false, layout };
	}
	if (fragments === undefined) throw emptyAudio();
	const layout: FragmentsLayout = {
		kind: "mp4-fragments",
		config,
		timescale,
		track: track.id,
		start: fragments,
		defaults: defaults.get(track.id) ?? [0, 0],
	};
	return { ...common, durationSeconds: null, exactDuration: false, layout };
}

async function readBox(source: AudioSource, box: Box): Promise<Uint8Array> {
	return source.read(box.body, Math.min(source.size, box.end, box.body + MAX_BOX_BYTES));
}

/** Reads a track. Returns "video" for a video track, and null for a track of another kind. @param end end of the parent box. */
async function readTrack(source: AudioSource, trak: Box, end: number): Promise<Track | "video" | null> {
	const found = new Map<string, Box>();
	const collect = async (from: number, to: number, [next, ...below]: string[]): Promise<void> => {
		for await (const box of fileBoxes(source, from, to, MAX_BOXES)) {
			const inside = { ...box, end: Math.min(box.end, to) };
			// QuickTime has a second `hdlr`, for the data, further in.
			if (!found.has(box.type)) found.set(box.type, inside);
			if (box.type === next) await collect(inside.body, inside.end, below);
		}
	};
	await collect(trak.body, Math.min(trak.end, end), PATH);
	const [tkhd, mdhd, hdlr, stsd, stbl] = ["tkhd", "mdhd", "hdlr", "stsd", "stbl"].map((type) =>
		found.get(type),
	);
	if (!mdhd || !hdlr || !stsd || !stbl || !tkhd) return null;
	const handler = ascii(await readBox(source, hdlr), 8, 4);
	if (handler === "vide") return "video";
	if (handler !== "soun") return null;
	const header = await readBox(source, tkhd);
	const media = await readBox(source, mdhd);
	const wide = u8(media, 0) === 1;
	const description = await readBox(source, stsd);
	const sizes = found.get("stsz") ?? found.get("stz2");
	return {
		id: u32(header, u8(header, 0) === 1 ? 20 : 12),
		timescale: u32(media, wide ? 20 : 12),
		ticks: wide ? u64(media, 24) : Math.max(0, i32(media, 16)),
		audio: readSampleEntry(description, 0, description.length),
		samples: sizes ? u32(await source.read(sizes.body, sizes.body + 12), 8) : 0,
		tables: stbl,
	};
}
