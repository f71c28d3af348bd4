import type { AudioInfo } from "./audio-info.ts";
import { type AudioSource, type Budget, budgetedSource, cachedSource, parsing } from "./audio-source.ts";
import { openFlac } from "./formats/flac/flac.ts";
import { openAmr, openFrames } from "./formats/frames/frames.ts";
import { openMp4 } from "./formats/mp4/open.ts";
import { openMpeg } from "./formats/mpeg/mpeg-stream.ts";
import { openOgg } from "./formats/ogg/open.ts";
import { openWav } from "./formats/wav/wav.ts";
import { openWebm } from "./formats/webm/webm.ts";
import { id3Length, SNIFF_BYTES, sniff } from "./sniff.ts";
import { broken } from "./unsupported-audio.ts";

const PROBE_BUDGET: Budget = { maxBytes: 64 * 1024 * 1024, deadlineMs: 30_000 };

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
