import type { AudioInfo } from "./audio-info.ts";
import { type AudioSource, type Budget, budgetedSource, cachedSource, runParser } from "./audio-source.ts";
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

/** Bytes per read: a share of the file within limits, so that probing a small file reads little of it. */
const [MIN_BLOCK_BYTES, MAX_BLOCK_BYTES, BLOCKS_PER_FILE] = [4 * 1024, 64 * 1024, 1024];

/**
 * Finds out what kind of audio file this is, from its bytes alone. Reads headers only, within a budget. Errors of the source pass
 * through.
 * @throws UnsupportedAudio if the file is not audio, not supported or damaged.
 */
export async function probe(source: AudioSource, budget: Budget = PROBE_BUDGET): Promise<AudioInfo> {
	const blockBytes = Math.max(
		MIN_BLOCK_BYTES,
		Math.min(MAX_BLOCK_BYTES, Math.ceil(source.size / BLOCKS_PER_FILE)),
	);
	return runParser(source, async (watched) =>
		checkNumbers(await openFile(cachedSource(budgetedSource(watched, budget), { blockBytes, keep: 16 }))),
	);
}

/** Rejects a sample rate that is no positive number, and drops such a duration. Some formats store both as floats. */
function checkNumbers(info: AudioInfo): AudioInfo {
	if (!(info.sampleRate > 0 && Number.isFinite(info.sampleRate))) throw broken("its sample rate is invalid");
	const hasLength = info.durationSeconds !== null && Number.isFinite(info.durationSeconds);
	return hasLength ? info : { ...info, durationSeconds: null };
}

async function openFile(source: AudioSource): Promise<AudioInfo> {
	let start = 0;
	let head = await source.read(0, Math.min(source.size, SNIFF_BYTES));
	// A file may begin with several tags.
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
