import type { AudioCodec, AudioFormat, AudioInfo } from "@parley/audio-files/audio-info";
import { type AudioSource, bytesSource, runParser } from "@parley/audio-files/audio-source";
import { packetSeconds } from "@parley/audio-files/codecs/codecs";
import { MEDIA_TYPES } from "@parley/audio-files/media-types";
import { visitLevels } from "@parley/audio-files/packet-levels";
import type { AudioData } from "@parley/audio-files/packets";
import { type AudioFile, readAudio, toAudioFile } from "@parley/audio-files/slice";
import { broken } from "@parley/audio-files/unsupported-audio";
import { concat } from "@parley/bytes/concat";
import { voiceRules } from "./levels.ts";
import type { PlannedChunk } from "./plan.ts";
import { CELL_SECONDS, detectVoice, LevelTrack, type VoiceDetection } from "./voice-detection.ts";

/** A chunk as a valid audio file. Word times of an engine count from `startSeconds`. */
export type SlicedChunk = {
	bytes: Uint8Array<ArrayBuffer>;
	format: AudioFormat;
	contentType: string;
	/** File name with the extension of the format. */
	filename: string;
	startSeconds: number;
	durationSeconds: number;
	/** Voiced and silent spans of the chunk. */
	voice: VoiceDetection;
};

/** Extensions that differ from the format's name. `.mpga` is MPEG audio of any layer. */
const EXTENSIONS: Partial<Record<AudioFormat, string>> = { mpeg: "mpga" };

/**
 * Cuts a planned chunk out of a file, on packet boundaries and without decoding. Reads only the chunk's own bytes.
 *
 * The format is that of the file, except that audio is extracted from video and transport streams. AAC is put into M4A if `accepts`
 * contains `m4a` but not `aac`.
 * @throws UnsupportedAudio if the bytes do not match the plan.
 */
export async function sliceChunk(
	source: AudioSource,
	info: AudioInfo,
	chunk: PlannedChunk,
	options: { accepts?: readonly AudioFormat[] } = {},
): Promise<SlicedChunk> {
	const { accepts } = options;
	// AAC from a transport stream stays bare only if the engine is known to accept it.
	const acceptsAac = accepts?.includes("aac") ?? info.layout.kind !== "mpeg";
	const wrapAac = info.codec === "aac" && !acceptsAac;
	const { bytes, format, voice } = await runParser(source, (watched) => cut(watched, info, chunk, wrapAac));
	const name = String(chunk.index + 1).padStart(4, "0");
	return {
		bytes,
		format,
		contentType: MEDIA_TYPES[format],
		filename: `${name}.${EXTENSIONS[format] ?? format}`,
		startSeconds: chunk.startSeconds,
		durationSeconds: chunk.endSeconds - chunk.startSeconds,
		voice,
	};
}

type Cut = AudioFile & { voice: VoiceDetection };

async function cut(
	source: AudioSource,
	info: AudioInfo,
	chunk: PlannedChunk,
	wrapAac: boolean,
): Promise<Cut> {
	if (chunk.whole && !(wrapAac && info.layout.kind === "frames")) {
		const bytes = concat([await source.read(0, source.size)]);
		// An engine may read a file that Parley cannot parse.
		const audio = await readAudio(bytesSource(bytes), info, chunk).catch(() => null);
		return { bytes, format: info.format, voice: measureVoice(info, chunk, audio) };
	}
	const audio = await readAudio(source, info, chunk);
	return { ...(await toAudioFile(info, chunk, audio, wrapAac)), voice: measureVoice(info, chunk, audio) };
}

/** Maximum difference between the planned and the measured duration. With more, the levels are not reliable. */
const TOLERANCE_SECONDS = 2;

/** Factor by which packets may exceed the duration that their container declares. Some kinds of AAC have frames of half the length. */
const MAX_EXCESS: Partial<Record<AudioCodec, number>> = { aac: 2.5, opus: 1.1, mp3: 1.1 };

/**
 * Finds voiced and silent spans in a chunk. `audio` is null if the chunk could not be parsed.
 *
 * A chunk that the planner has not read may contain less audio than planned, as after a damaged download, but not more: its duration and the
 * times of its words would be wrong. Packets that state their own duration may not exceed that of their container by far.
 * @throws UnsupportedAudio if there is more audio.
 */
function measureVoice(info: AudioInfo, chunk: PlannedChunk, audio: AudioData | null): VoiceDetection {
	const durationSeconds = chunk.endSeconds - chunk.startSeconds;
	const track = new LevelTrack();
	if (audio) visitLevels(info, audio, CELL_SECONDS, (level, seconds) => track.add(level, seconds));
	const exceedsPlan = chunk.unseen && track.durationSeconds > durationSeconds + TOLERANCE_SECONDS;
	if (exceedsPlan || (audio && exceedsContainer(info, audio, durationSeconds))) {
		throw broken("it contains more audio than its header declares");
	}
	const isReliable = Math.abs(track.durationSeconds - durationSeconds) <= TOLERANCE_SECONDS;
	const found = detectVoice(track, isReliable ? voiceRules(info) : null);
	return { ...found, durationSeconds };
}

function exceedsContainer({ codec, sampleRate }: AudioInfo, audio: AudioData, seconds: number): boolean {
	const factor = MAX_EXCESS[codec];
	if (!factor || !("packets" in audio)) return false;
	const packetsSeconds = audio.packets.reduce(
		(sum, { data, duration }) => sum + (packetSeconds(codec, data, sampleRate) ?? duration),
		0,
	);
	return packetsSeconds > factor * seconds + TOLERANCE_SECONDS;
}
