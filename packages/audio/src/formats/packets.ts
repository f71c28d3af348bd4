import type { AudioCodec, AudioInfo } from "../audio-info.ts";
import { u8, u16le } from "../bytes.ts";
import {
	ACTIVITY_RULES,
	type ActivityRules,
	aacLevel,
	amrLevel,
	bitsScale,
	LEVEL_RULES,
	mp3Level,
	opusVoice,
	rateLevel,
	vorbisVoice,
} from "../levels.ts";
import { broken } from "../unsupported-audio.ts";
import { adtsFrames } from "./adts-frames.ts";
import { amrNarrowFrames, amrWideFrames } from "./amr-frames.ts";
import { flacFrameSamples } from "./flac.ts";
import type { FrameFormat } from "./frames.ts";
import { mpegFrames } from "./mpeg-frames.ts";
import { opusSamples } from "./ogg-codecs.ts";

/** A coded packet taken out of its container; seconds from the start of the file. */
export type SoundPacket = { data: Uint8Array; seconds: number; duration: number };

/** No codec that is taken has packets as large by far. */
const MAX_PACKET_BYTES = 4 * 1024 * 1024;

/** Packets are read whole. @throws UnsupportedAudio when one is too large for that. */
export function requirePacketSize(bytes: number): void {
	if (bytes > MAX_PACKET_BYTES) throw broken("one of its parts is too large");
}

/** A clock that leaps or halts in places says more than its packets hold, but not so many times more. */
const [MOST_TIMES, FREE_SECONDS] = [4, 600];
const AAC_SAMPLES = 1024;

/** Whether so many packets can last as long as their container says. @throws UnsupportedAudio when they cannot. */
export function requireSound({ codec, sampleRate }: AudioInfo, packets: number, seconds: number): void {
	if (codec !== "aac" || seconds <= FREE_SECONDS + (MOST_TIMES * packets * AAC_SAMPLES) / sampleRate) return;
	const hours = (seconds / 3600).toFixed(1);
	throw broken(`it says that it lasts ${hours} hours, but holds far too little sound for that`);
}

/** Loudness of a packet, as its codec lets one guess it without decoding; see levels.ts. */
export function packetLevel(codec: AudioCodec, data: Uint8Array, seconds: number): number | null {
	switch (codec) {
		case "aac":
			return aacLevel(data);
		case "mp3":
			return mpegFrames.read(data, 0)?.kind === 3 ? mp3Level(data, 0) : null;
		case "opus":
		case "vorbis":
		case "flac":
			return rateLevel(data.length, seconds);
		case "amr_nb":
			return amrLevel((u8(data, 0) >> 3) & 15);
		case "amr_wb": {
			const type = (u8(data, 0) >> 3) & 15;
			return amrLevel(type === 8 ? 0 : type);
		}
		default:
			return null;
	}
}

/** The frames of codecs whose frames carry their own header. */
export function frameFormatOf(codec: AudioCodec): FrameFormat {
	if (codec === "aac") return adtsFrames;
	if (codec === "amr_nb") return amrNarrowFrames;
	return codec === "amr_wb" ? amrWideFrames : mpegFrames;
}

/** How far below speech a pause lies, for the levels of this codec. */
export function levelRules(codec: AudioCodec): { minContrast: number; silence: number } {
	switch (codec) {
		case "pcm":
		case "alaw":
		case "ulaw":
			return LEVEL_RULES.pcm;
		case "mp3":
			return LEVEL_RULES.mp3;
		case "aac":
			return LEVEL_RULES.aac;
		case "amr_nb":
		case "amr_wb":
			return LEVEL_RULES.amr;
		case "vorbis":
			return LEVEL_RULES.vorbis;
		case "flac":
			return LEVEL_RULES.flac;
		default:
			return LEVEL_RULES.opus;
	}
}

/** Level of a packet where speech is looked for: as `packetLevel`, but the word of the coder counts for more. */
export function voiceLevel(codec: AudioCodec, data: Uint8Array, seconds: number): number | null {
	if (codec === "opus") return opusVoice(data);
	return codec === "vorbis" ? vorbisVoice(data) : packetLevel(codec, data, seconds);
}

/** How `voiceLevel` tells speech; null where it does not. */
export function activityRules({ codec, sampleRate, channels }: AudioInfo): ActivityRules | null {
	switch (codec) {
		case "pcm":
		case "alaw":
		case "ulaw":
			return ACTIVITY_RULES.pcm;
		case "mp3":
		case "aac":
			return ACTIVITY_RULES[codec];
		case "flac":
			return { ...ACTIVITY_RULES.flac, scale: bitsScale(sampleRate * channels) };
		case "opus":
		case "vorbis":
			return ACTIVITY_RULES[codec];
		case "amr_nb":
		case "amr_wb":
			return ACTIVITY_RULES.amr;
		default:
			return null;
	}
}

/** Length of a packet where its own bytes tell; null where only the container knows. */
export function packetSeconds(codec: AudioCodec, data: Uint8Array, sampleRate: number): number | null {
	if (codec === "opus") return opusSamples(u16le(data, 0), data.length) / 48000;
	if (codec === "aac") return AAC_SAMPLES / sampleRate;
	if (codec === "flac") return flacFrameSamples(data) / sampleRate;
	if (codec === "mp3" || codec === "mp2") {
		const frame = mpegFrames.read(data, 0);
		return frame ? frame.samples / frame.rate : null;
	}
	return null;
}
