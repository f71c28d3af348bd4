import type { AudioInfo } from "./audio-info.ts";
import { frameFormatOf, voiceLevel } from "./codecs/codecs.ts";
import { FlacWalker } from "./codecs/flac.ts";
import { FrameWalker } from "./codecs/frames.ts";
import { rateLevel } from "./codecs/loudness.ts";
import { pcmCells } from "./codecs/pcm.ts";
import type { Sound } from "./packets.ts";

/**
 * Visits the level of each packet or frame of a sound in order, and how long it lasts. Samples are taken together into cells
 * of `cellSeconds`. The level is null where it cannot be read.
 */
export function visitLevels(
	{ codec, layout, sampleRate, channels }: AudioInfo,
	sound: Sound,
	cellSeconds: number,
	visit: (level: number | null, seconds: number) => void,
): void {
	if ("packets" in sound) {
		for (const { data, duration } of sound.packets) visit(voiceLevel(codec, data, duration), duration);
	} else if (layout.kind === "wav") {
		const samplesPerCell = cellSeconds * sampleRate * channels;
		for (const { level, cells } of pcmCells(sound.bytes, layout.sampleFormat, samplesPerCell)) {
			visit(level, cells * cellSeconds);
		}
	} else if (codec === "flac") {
		const walker = new FlacWalker((_offset, bytes, samples) => {
			const duration = samples / sampleRate;
			visit(rateLevel(bytes, duration), duration);
		});
		walker.feed(sound.bytes, 0, true);
		walker.finish(sound.bytes.length);
	} else {
		const format = frameFormatOf(codec);
		const walker = new FrameWalker(format, (_offset, frame, bytes, at) => {
			visit(format.level(bytes, at, frame.size, frame), frame.samples / frame.rate);
		});
		walker.feed(sound.bytes, 0, true);
	}
}
