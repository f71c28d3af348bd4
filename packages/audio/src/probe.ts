import type { AudioInfo } from "./audio-info.ts";
import { adtsFrames } from "./formats/adts-frames.ts";
import { AMR_MAGIC, amrCodec } from "./formats/amr-frames.ts";
import { openFlac } from "./formats/flac.ts";
import { firstFrame } from "./formats/frames.ts";
import { openMp4 } from "./formats/mp4.ts";
import { infoFrames, mpegFrames } from "./formats/mpeg-frames.ts";
import { openMpeg } from "./formats/mpeg-stream.ts";
import { openOgg } from "./formats/ogg-open.ts";
import { openWav } from "./formats/wav.ts";
import { openWebm } from "./formats/webm.ts";
import { id3Length, SNIFF_BYTES, sniff } from "./sniff.ts";
import { type AudioSource, type Budget, budgetedSource, cachedSource, parsing } from "./source.ts";
import { broken, UnsupportedAudio } from "./unsupported-audio.ts";

const PROBE_BUDGET: Budget = { maxBytes: 64 * 1024 * 1024, deadlineMs: 30_000 };

/** Frames are looked for this far behind tags: most begin there at once. */
const SEARCH_BYTES = [8 * 1024, 256 * 1024];
/** A file is read in blocks; what a small one's headers take should be little of it. */
const [MIN_BLOCK_BYTES, MAX_BLOCK_BYTES, BLOCKS] = [4 * 1024, 64 * 1024, 1024];

/**
 * What kind of audio file this is, found from its bytes and whatever its name. Reads headers only, within a budget. Throws
 * UnsupportedAudio when it is not audio, not supported or damaged; errors of the source pass through.
 */
export async function probe(source: AudioSource, budget: Budget = PROBE_BUDGET): Promise<AudioInfo> {
	const blockBytes = Math.max(MIN_BLOCK_BYTES, Math.min(MAX_BLOCK_BYTES, Math.ceil(source.size / BLOCKS)));
	return parsing(source, async (watched) =>
		sensible(await identify(cachedSource(budgetedSource(watched, budget), { blockBytes, keep: 16 }))),
	);
}

/** Some formats write the rate as a float, which may be anything. */
function sensible(info: AudioInfo): AudioInfo {
	if (!(info.sampleRate > 0 && Number.isFinite(info.sampleRate)))
		throw broken("its description contradicts itself");
	const hasLength = info.durationSeconds !== null && Number.isFinite(info.durationSeconds);
	return hasLength ? info : { ...info, durationSeconds: null };
}

async function identify(source: AudioSource): Promise<AudioInfo> {
	let start = 0;
	let head = await source.read(0, Math.min(source.size, SNIFF_BYTES));
	// A file may begin with several tags, and anything may come behind them.
	for (let tags = 0; tags < 8; tags++) {
		const tag = id3Length(head);
		if (tag === 0) break;
		start += tag;
		if (start >= source.size) throw broken("it ends within its tags");
		head = await source.read(start, Math.min(source.size, start + SNIFF_BYTES));
	}
	const container = sniff(head);
	switch (container) {
		case "riff":
			return openWav(source);
		case "flac":
			return openFlac(source, start);
		case "ogg":
			return openOgg(source);
		case "mp4":
			return openMp4(source);
		case "matroska":
			return openWebm(source);
		case "mpeg-ts":
		case "mpeg-ps":
			return openMpeg(source, container);
		case "amr":
			return openAmr(source, head);
		case "frames":
			return openFrames(source, start);
	}
}

function openAmr(source: AudioSource, head: Uint8Array): AudioInfo {
	const codec = amrCodec(head);
	if (!codec) {
		throw new UnsupportedAudio(
			"unsupported_codec",
			"The sound is coded in a way that is not supported: AMR with several channels.",
		);
	}
	const start = AMR_MAGIC[codec].length;
	if (source.size <= start) throw new UnsupportedAudio("empty", "The file holds no sound.");
	return {
		container: "amr",
		format: "amr",
		codec,
		channels: 1,
		sampleRate: codec === "amr_wb" ? 16000 : 8000,
		durationSeconds: null,
		exactDuration: false,
		sizeBytes: source.size,
		layout: { kind: "frames", start, end: source.size },
	};
}

async function searchFrames(source: AudioSource, start: number) {
	for (const bytes of SEARCH_BYTES) {
		const end = Math.min(source.size, start + bytes);
		const head = await source.read(start, end);
		const found = { head, mpeg: firstFrame(mpegFrames, head), adts: firstFrame(adtsFrames, head) };
		if (found.mpeg || found.adts || end === source.size || bytes === SEARCH_BYTES.at(-1)) return found;
	}
	throw broken("its frames cannot be found");
}

async function openFrames(source: AudioSource, start: number): Promise<AudioInfo> {
	const { head, mpeg, adts } = await searchFrames(source, start);
	if (adts && (!mpeg || adts.at <= mpeg.at)) {
		const { frame, at } = adts;
		const layout = { kind: "frames", start: start + at, end: source.size } as const;
		const common = { channels: frame.channels, sampleRate: frame.rate, sizeBytes: source.size, layout };
		const duration = { durationSeconds: null, exactDuration: false };
		return { container: "adts", format: "aac", codec: "aac", ...common, ...duration };
	}
	if (!mpeg) {
		if (source.size < 64) throw broken("it is too short to be audio");
		throw new UnsupportedAudio("not_audio", "The file is not audio of any known kind.");
	}
	const { frame, at } = mpeg;
	const frames = frame.kind === 3 ? infoFrames(head, at, frame) : null;
	const sound = source.size - start - at;
	// Without a count of frames the first frame's rate stands for all, which is right for constant rates only.
	const estimate = (sound / frame.size) * (frame.samples / frame.rate);
	return {
		container: "mpeg-audio",
		format: frame.kind === 3 ? "mp3" : "mpeg",
		codec: frame.kind === 3 ? "mp3" : "mp2",
		channels: frame.channels,
		sampleRate: frame.rate,
		durationSeconds: frames ? (frames * frame.samples) / frame.rate : estimate,
		exactDuration: false,
		sizeBytes: source.size,
		layout: { kind: "frames", start: start + at, end: source.size },
	};
}
