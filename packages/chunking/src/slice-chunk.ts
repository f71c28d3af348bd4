import type { AudioCodec, AudioFormat, AudioInfo } from "@parley/audio-files/audio-info";
import { type AudioSource, bytesSource, parsing } from "@parley/audio-files/audio-source";
import { concat } from "@parley/audio-files/bytes";
import { packetSeconds } from "@parley/audio-files/codecs/codecs";
import type { Sound } from "@parley/audio-files/packets";
import { type AudioFile, readSound, toFile } from "@parley/audio-files/slice";
import { visitLevels } from "@parley/audio-files/sound-levels";
import { broken } from "@parley/audio-files/unsupported-audio";
import { voiceRules } from "./levels.ts";
import type { PlannedChunk } from "./plan.ts";
import { type Activity, activityOf, CELL_SECONDS, LevelTrack } from "./voice-detection.ts";

/** A valid audio file of its own. Word times of an engine count from `startSeconds`. */
export type SlicedChunk = {
	bytes: Uint8Array<ArrayBuffer>;
	format: AudioFormat;
	contentType: string;
	/** With the extension that fits the bytes. */
	filename: string;
	startSeconds: number;
	durationSeconds: number;
	/** Where in the chunk there is sound that may be speech, and where there is none at all. */
	activity: Activity;
};

const TYPES: Record<AudioFormat, string> = {
	wav: "audio/wav",
	mp3: "audio/mpeg",
	flac: "audio/flac",
	aac: "audio/aac",
	ogg: "audio/ogg",
	m4a: "audio/mp4",
	mp4: "video/mp4",
	webm: "audio/webm",
	amr: "audio/amr",
	mpeg: "audio/mpeg",
};

/** Extensions where they differ from the format's name: `.mpga` is MPEG audio of any layer. */
const EXTENSIONS: Partial<Record<AudioFormat, string>> = { mpeg: "mpga" };

/**
 * Cuts a planned chunk out of a file, on packet boundaries and without decoding. Reads only the chunk's own bytes. The format
 * is that of the file, except that sound is taken out of video and transport streams; AAC goes into M4A where `accepts`
 * names that but not `aac`. Throws UnsupportedAudio when the bytes are not as planned.
 */
export async function sliceChunk(
	source: AudioSource,
	info: AudioInfo,
	chunk: PlannedChunk,
	options: { accepts?: readonly AudioFormat[] } = {},
): Promise<SlicedChunk> {
	const { accepts } = options;
	// Out of a stream AAC comes bare only where that is known to be taken.
	const isTaken = accepts?.includes("aac") ?? info.layout.kind !== "mpeg";
	const wrap = info.codec === "aac" && !isTaken;
	const { bytes, format, activity } = await parsing(source, (watched) => cut(watched, info, chunk, wrap));
	const name = String(chunk.index + 1).padStart(4, "0");
	return {
		bytes,
		format,
		contentType: TYPES[format],
		filename: `${name}.${EXTENSIONS[format] ?? format}`,
		startSeconds: chunk.startSeconds,
		durationSeconds: chunk.endSeconds - chunk.startSeconds,
		activity,
	};
}

type Cut = AudioFile & { activity: Activity };

async function cut(source: AudioSource, info: AudioInfo, chunk: PlannedChunk, wrap: boolean): Promise<Cut> {
	if (chunk.whole && !(wrap && info.layout.kind === "frames")) {
		const bytes = concat([await source.read(0, source.size)]);
		// What cannot be taken apart may still be whole to an engine.
		const sound = await readSound(bytesSource(bytes), info, chunk).catch(() => null);
		return { bytes, format: info.format, activity: measure(info, chunk, sound) };
	}
	const sound = await readSound(source, info, chunk);
	return { ...(await toFile(info, chunk, sound, wrap)), activity: measure(info, chunk, sound) };
}

/** Durations that differ by more are a sign that the sound was not understood. */
const TOLERANCE_SECONDS = 2;

/** How often as much as its container says the packets of a codec may hold: frames of some kinds of AAC are half as long. */
const MOST_HELD: Partial<Record<AudioCodec, number>> = { aac: 2.5, opus: 1.1, mp3: 1.1 };

/**
 * Speech and silence in a chunk from the bytes at hand; `sound` is null where they could not be taken apart. A chunk that
 * nobody has looked into before may hold less than was planned, as a file does that lost a part, but not more: neither its
 * length nor the times of its words would be right. Nor may any whose packets tell their length hold far more than its
 * container says. @throws UnsupportedAudio when it does.
 */
function measure(info: AudioInfo, chunk: PlannedChunk, sound: Sound | null): Activity {
	const durationSeconds = chunk.endSeconds - chunk.startSeconds;
	const track = new LevelTrack();
	if (sound) visitLevels(info, sound, CELL_SECONDS, (level, seconds) => track.add(level, seconds));
	const isMore = chunk.unseen && track.durationSeconds > durationSeconds + TOLERANCE_SECONDS;
	if (isMore || (sound && holdsFarMore(info, sound, durationSeconds))) {
		throw broken("it holds more sound than its own clock says");
	}
	const understood = Math.abs(track.durationSeconds - durationSeconds) <= TOLERANCE_SECONDS;
	const found = activityOf(track, understood ? voiceRules(info) : null);
	return { ...found, durationSeconds };
}

function holdsFarMore({ codec, sampleRate }: AudioInfo, sound: Sound, seconds: number): boolean {
	const most = MOST_HELD[codec];
	if (!most || !("packets" in sound)) return false;
	const held = sound.packets.reduce(
		(sum, { data, duration }) => sum + (packetSeconds(codec, data, sampleRate) ?? duration),
		0,
	);
	return held > most * seconds + TOLERANCE_SECONDS;
}
