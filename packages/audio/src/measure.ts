import { type Activity, activityOf, CELL_SECONDS, LevelTrack } from "./activity.ts";
import type { AudioCodec, AudioInfo, Layout } from "./audio-info.ts";
import { FlacWalker } from "./formats/flac.ts";
import { FrameWalker } from "./formats/frames.ts";
import {
	activityRules,
	frameFormatOf,
	packetSeconds,
	type SoundPacket,
	voiceLevel,
} from "./formats/packets.ts";
import { pcmCells } from "./formats/pcm-level.ts";
import { rateLevel } from "./levels.ts";
import type { PlannedChunk } from "./plan.ts";
import { broken } from "./unsupported-audio.ts";

/** The sound of a chunk out of its container: packets, or the bytes of samples or frames that need none. */
export type Sound = { bytes: Uint8Array } | { packets: readonly SoundPacket[] };

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
export function measure(info: AudioInfo, chunk: PlannedChunk, sound: Sound | null): Activity {
	const durationSeconds = chunk.endSeconds - chunk.startSeconds;
	const track = sound ? levelsOf(info, sound) : new LevelTrack();
	const isMore = chunk.unseen && track.durationSeconds > durationSeconds + TOLERANCE_SECONDS;
	if (isMore || (sound && holdsFarMore(info, sound, durationSeconds))) {
		throw broken("it holds more sound than its own clock says");
	}
	const understood = Math.abs(track.durationSeconds - durationSeconds) <= TOLERANCE_SECONDS;
	const found = activityOf(track, understood ? activityRules(info) : null);
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

function levelsOf(info: AudioInfo, sound: Sound): LevelTrack {
	const track = new LevelTrack();
	const { codec, layout, sampleRate } = info;
	if ("packets" in sound) {
		for (const { data, duration } of sound.packets) track.add(voiceLevel(codec, data, duration), duration);
	} else if (layout.kind === "wav") {
		const { sampleFormat } = layout as Extract<Layout, { kind: "wav" }>;
		const samplesPerCell = CELL_SECONDS * sampleRate * info.channels;
		for (const { level, cells } of pcmCells(sound.bytes, sampleFormat, samplesPerCell)) {
			track.add(level, cells * CELL_SECONDS);
		}
	} else if (codec === "flac") {
		const walker = new FlacWalker((_offset, bytes, samples) => {
			const duration = samples / sampleRate;
			track.add(rateLevel(bytes, duration), duration);
		});
		walker.feed(sound.bytes, 0, true);
		walker.finish(sound.bytes.length);
	} else {
		const format = frameFormatOf(codec);
		const walker = new FrameWalker(format, (_offset, frame, bytes, at) => {
			track.add(format.level(bytes, at, frame.size, frame), frame.samples / frame.rate);
		});
		walker.feed(sound.bytes, 0, true);
	}
	return track;
}
