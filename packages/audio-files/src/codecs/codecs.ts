import type { AudioCodec } from "../audio-info.ts";
import { u16le } from "../bytes.ts";
import { AAC_SAMPLES, aacLevel, adtsFrames } from "./aac.ts";
import { amrLevel, amrNarrowFrames, amrWideFrames } from "./amr.ts";
import { flacFrameSamples } from "./flac.ts";
import type { FrameFormat } from "./frames.ts";
import { rateLevel } from "./loudness.ts";
import { mp3Level, mpegFrames } from "./mpeg-audio.ts";
import { opusSamples, opusVoice } from "./opus.ts";
import { vorbisVoice } from "./vorbis.ts";

/** What the packets of a codec tell without being decoded. */
type Codec = {
	/** Frames that carry their own header, so that any run of them is a valid file. */
	frames?: FrameFormat;
	/** Loudness of a packet, as far as its header lets one guess it. */
	level?(data: Uint8Array, seconds: number): number | null;
	/** Level for telling speech from pauses, where the coder's own judgement counts for more than loudness. */
	voiceLevel?(data: Uint8Array): number | null;
	/** Length of a packet in seconds. Left out where only the container knows. */
	seconds?(data: Uint8Array, sampleRate: number): number | null;
};

const sizeLevel = (data: Uint8Array, seconds: number) => rateLevel(data.length, seconds);

function mpegSeconds(data: Uint8Array): number | null {
	const frame = mpegFrames.read(data, 0);
	return frame && frame.samples / frame.rate;
}

const CODECS: Record<AudioCodec, Codec> = {
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
		voiceLevel: opusVoice,
		seconds: (data) => opusSamples(u16le(data, 0), data.length) / 48000,
	},
	vorbis: { level: sizeLevel, voiceLevel: vorbisVoice },
	amr_nb: { frames: amrNarrowFrames, level: (data) => amrLevel("amr_nb", data) },
	amr_wb: { frames: amrWideFrames, level: (data) => amrLevel("amr_wb", data) },
	ac3: {},
	eac3: {},
};

/** Returns the frame format of a codec whose frames carry their own header. @throws RangeError for another codec. */
export function frameFormatOf(codec: AudioCodec): FrameFormat {
	const { frames } = CODECS[codec];
	if (!frames) throw new RangeError(`The frames of ${codec} have no headers`);
	return frames;
}

/** Returns the loudness of a packet, as its codec lets one guess it without decoding; null where it does not. */
export const packetLevel = (codec: AudioCodec, data: Uint8Array, seconds: number): number | null =>
	CODECS[codec].level?.(data, seconds) ?? null;

/** Returns the level of a packet for telling speech from pauses: the coder's own judgement, or else the loudness. */
export function voiceLevel(codec: AudioCodec, data: Uint8Array, seconds: number): number | null {
	const { voiceLevel: judged } = CODECS[codec];
	return judged ? judged(data) : packetLevel(codec, data, seconds);
}

/** Returns the length of a packet in seconds where its own bytes tell; null where only the container knows. */
export const packetSeconds = (codec: AudioCodec, data: Uint8Array, sampleRate: number): number | null =>
	CODECS[codec].seconds?.(data, sampleRate) ?? null;
