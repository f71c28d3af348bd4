import type { AudioCodec } from "../audio-info.ts";
import { u16le } from "../bytes.ts";
import { AAC_SAMPLES, aacLevel, adtsFrames } from "./aac.ts";
import { amrLevel, amrNarrowFrames, amrWideFrames } from "./amr.ts";
import { flacFrameSamples } from "./flac.ts";
import type { FrameFormat } from "./frames.ts";
import { rateLevel } from "./loudness.ts";
import { mp3Level, mpegFrames } from "./mpeg-audio.ts";
import { opusSamples, opusVoiceLevel } from "./opus.ts";
import { vorbisVoiceLevel } from "./vorbis.ts";

/** Facts that the packets of a codec tell without decoding. */
type CodecTraits = {
	/** Frames with their own headers, so that any sequence of them is a valid file. */
	frames?: FrameFormat;
	/** Returns the loudness of a packet by its header. */
	level?(data: Uint8Array, seconds: number): number | null;
	/** Returns the level for voice detection. Set where the coder's own voice detector is better than loudness. */
	voiceLevel?(data: Uint8Array): number | null;
	/** Returns the duration of a packet. Unset where only the container knows it. */
	seconds?(data: Uint8Array, sampleRate: number): number | null;
};

const sizeLevel = (data: Uint8Array, seconds: number) => rateLevel(data.length, seconds);

function mpegSeconds(data: Uint8Array): number | null {
	const frame = mpegFrames.read(data, 0);
	return frame && frame.samples / frame.rate;
}

const CODECS: Record<AudioCodec, CodecTraits> = {
	pcm: {},
	alaw: {},
	ulaw: {},
	mp3: {
		frames: mpegFrames,
		level: (data) => (mpegFrames.read(data, 0)?.kind === 3 ? mp3Level(data, 0) : null),
		seconds: mpegSeconds,
	},
	mp2: { frames: mpegFrames, seconds: mpegSeconds },
	aac: {
		frames: adtsFrames,
		level: (data) => aacLevel(data),
		seconds: (_data, sampleRate) => AAC_SAMPLES / sampleRate,
	},
	alac: {},
	flac: { level: sizeLevel, seconds: (data, sampleRate) => flacFrameSamples(data) / sampleRate },
	opus: {
		level: sizeLevel,
		voiceLevel: opusVoiceLevel,
		seconds: (data) => opusSamples(u16le(data, 0), data.length) / 48000,
	},
	vorbis: { level: sizeLevel, voiceLevel: vorbisVoiceLevel },
	amr_nb: { frames: amrNarrowFrames, level: (data) => amrLevel("amr_nb", data) },
	amr_wb: { frames: amrWideFrames, level: (data) => amrLevel("amr_wb", data) },
	ac3: {},
	eac3: {},
};

/** Returns the frame format of a codec whose frames have their own headers. @throws RangeError for another codec. */
export function frameFormatOf(codec: AudioCodec): FrameFormat {
	const { frames } = CODECS[codec];
	if (!frames) throw new RangeError(`The frames of ${codec} have no headers`);
	return frames;
}

/** Returns the loudness of a packet, or null if its codec does not tell it without decoding. */
export const packetLevel = (codec: AudioCodec, data: Uint8Array, seconds: number): number | null =>
	CODECS[codec].level?.(data, seconds) ?? null;

/** Returns the level of a packet for voice detection: the coder's own judgement, or otherwise the loudness. */
export function voiceLevel(codec: AudioCodec, data: Uint8Array, seconds: number): number | null {
	const traits = CODECS[codec];
	return traits.voiceLevel ? traits.voiceLevel(data) : packetLevel(codec, data, seconds);
}

/** Returns the duration of a packet in seconds, or null if only the container knows it. */
export const packetSeconds = (codec: AudioCodec, data: Uint8Array, sampleRate: number): number | null =>
	CODECS[codec].seconds?.(data, sampleRate) ?? null;
