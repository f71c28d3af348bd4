import type { AudioInfo } from "./audio-info.ts";
import { frameFormatOf, voiceLevel } from "./codecs/codecs.ts";
import { FlacWalker } from "./codecs/flac.ts";
import { FrameWalker } from "./codecs/frames.ts";
import { rateLevel } from "./codecs/loudness.ts";
import { pcmCells } from "./codecs/pcm.ts";
import type { AudioData } from "./packets.ts";

/**
 * Visits the level and the duration of each packet or frame in order. PCM samples are visited in cells of `cellSeconds`. The level is
 * null if the packet does not tell it.
 */
export function visitLevels(
	{ codec, layout, sampleRate, channels }: AudioInfo,
	audio: AudioData,
	cellSeconds: number,
	visit: (level: number | null, seconds: number) => void,
): void {
	if ("packets" in audio) {
		for (const { data, duration } of audio.packets) visit(voiceLevel(codec, data, duration), duration);
	} else if (layout.kind === "wav") {
		const samplesPerCell = cellSeconds * sampleRate * channels;
		for (const { level, cells } of pcmCells(audio.bytes, layout.sampleFormat, samplesPerCell)) {
			visit(level, cells * cellSeconds);
		}
	} else if (codec === "flac") {
		const walker = new FlacWalker((_offset, bytes, samples) => {
			const duration = samples / sampleRate;
			visit(rateLevel(bytes, duration), duration);
		});
		walker.feed(audio.bytes, 0, true);
		walker.finish(audio.bytes.length);
	} else {
		const format = frameFormatOf(codec);
		const walker = new FrameWalker(format, (_offset, frame, bytes, at) => {
			visit(format.level(bytes, at, frame.size, frame), frame.samples / frame.rate);
		});
		walker.feed(audio.bytes, 0, true);
	}
}
