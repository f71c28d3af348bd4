import type { AudioInfo, Layout } from "../../audio-info.ts";
import { type AudioSource, readSequentially } from "../../audio-source.ts";
import { adtsFrames } from "../../codecs/aac.ts";
import { AMR_MAGIC, identifyAmr } from "../../codecs/amr.ts";
import { frameFormatOf } from "../../codecs/codecs.ts";
import { FrameWalker, findFirstFrame } from "../../codecs/frames.ts";
import { mpegFrames, readFrameCount } from "../../codecs/mpeg-audio.ts";
import type { PacketVisitor, Scan } from "../../packets.ts";
import { broken, emptyAudio, UnsupportedAudio, unsupportedCodec } from "../../unsupported-audio.ts";

export type FramesLayout = Extract<Layout, { kind: "frames" }>;

/** Bytes behind the tags to search for the first frame. The second value applies if the first is not enough. */
const SEARCH_BYTES = [8 * 1024, 256 * 1024];

/** Reads the magic number of an AMR file, which is its only header. */
export function openAmr(source: AudioSource, head: Uint8Array): AudioInfo {
	const codec = identifyAmr(head);
	if (!codec) {
		throw unsupportedCodec("AMR with several channels");
	}
	const start = AMR_MAGIC[codec].length;
	if (source.size <= start) throw emptyAudio();
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
		const found = { head, mpeg: findFirstFrame(mpegFrames, head), adts: findFirstFrame(adtsFrames, head) };
		if (found.mpeg || found.adts || end === source.size || bytes === SEARCH_BYTES.at(-1)) return found;
	}
	throw broken("its frames cannot be found");
}

/** Finds the first frame of MPEG audio or ADTS from `start`, which is behind the tags. */
export async function openFrames(source: AudioSource, start: number): Promise<AudioInfo> {
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
		throw new UnsupportedAudio("not_audio", "The file is not audio of a known format.");
	}
	const { frame, at } = mpeg;
	const frames = frame.kind === 3 ? readFrameCount(head, at, frame) : null;
	const audioBytes = source.size - start - at;
	// Without a frame count this assumes the rate of the first frame, which is right only for constant bit rates.
	const estimate = (audioBytes / frame.size) * (frame.samples / frame.rate);
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

/** Visits all frames of the file. */
export async function scanFrames(
	source: AudioSource,
	info: AudioInfo,
	visitor: PacketVisitor,
): Promise<Scan> {
	const { start, end } = info.layout as FramesLayout;
	const format = frameFormatOf(info.codec);
	let seconds = 0;
	const walker = new FrameWalker(format, (offset, frame, bytes, at) => {
		const duration = frame.samples / frame.rate;
		const level = seconds >= visitor.wanted.from ? format.level(bytes, at, frame.size, frame) : null;
		visitor.add(offset, 0, frame.size, seconds, duration, level);
		seconds += duration;
	});
	await readSequentially(source, start, end, (bytes, offset, last) => walker.feed(bytes, offset, last));
	if (seconds === 0) throw broken("it contains no complete audio frame");
	return { end: [walker.end, 0], endSeconds: seconds };
}
