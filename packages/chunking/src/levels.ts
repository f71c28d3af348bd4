import type { AudioCodec, AudioInfo } from "@parley/audio-files/audio-info";
import { SILENT } from "@parley/audio-files/codecs/loudness";

/** Rules for what counts as a pause in the search for a boundary. */
export type PauseRules = {
	/** How far the quietest moment must lie below the window's median, in the unit of the levels. */
	minContrast: number;
	/** Maximum level that counts as a pause whatever is around it. */
	silence: number;
};

/** Root mean square in dB of full scale. */
const PCM_PAUSES = { minContrast: 12, silence: -60 };
const AMR_PAUSES = { minContrast: 20, silence: SILENT + 1 };
/** Levels by packet size. Silence has no fixed level. */
const SIZE_PAUSES = { minContrast: 1.5, silence: Number.NEGATIVE_INFINITY };

/** Pause rules by codec. Measured: see docs/decisions/0012. */
export const PAUSE_RULES: Record<AudioCodec, PauseRules> = {
	pcm: PCM_PAUSES,
	alaw: PCM_PAUSES,
	ulaw: PCM_PAUSES,
	mp3: { minContrast: 20, silence: SILENT + 1 },
	aac: { minContrast: 18, silence: SILENT + 1 },
	amr_nb: AMR_PAUSES,
	amr_wb: AMR_PAUSES,
	/** Faint noise costs this coder as much as speech, so only digital silence stands out. */
	vorbis: { minContrast: 6, silence: Number.NEGATIVE_INFINITY },
	flac: SIZE_PAUSES,
	opus: SIZE_PAUSES,
	mp2: SIZE_PAUSES,
	alac: SIZE_PAUSES,
	ac3: SIZE_PAUSES,
	eac3: SIZE_PAUSES,
};

/** How levels tell speech from pauses and from silence. */
export type VoiceRules = {
	/** Level above which there is speech, for codecs with their own voice detector. Otherwise it follows from the chunk's levels. */
	threshold?: number;
	/** True if a chunk without any pause gets no claim, because the coder's voice detector may be off. */
	needsPauses?: boolean;
	/** True if silence is the coder's judgement, which may contain steady noise. */
	judgedByCoder?: boolean;
	/** Converts a level to decibels, if the unit of the levels is another. */
	scale?: (level: number) => number;
	/** Minimum distance of the loud level above the noise floor. With less, there is no speech with pauses. */
	minContrast: number;
	/** Minimum loud level. Below it the coder writes only its own noise. */
	minLoud?: number;
	/** Maximum distance of the noise floor below the loud level. */
	maxContrast: number;
	/** Maximum level of silence, unless the loud level of the chunk is less than `headroom` above it. */
	silence: number;
	headroom: number;
	/** Maximum level of silence in any case. */
	deepSilence: number;
};

/** Silence of codecs whose packets tell when they have no content. */
const MARKED = { minContrast: 0, maxContrast: 0, silence: SILENT + 1, headroom: 0, deepSilence: SILENT + 1 };

const PCM_VOICE: VoiceRules = {
	minContrast: 12,
	maxContrast: 45,
	silence: -60,
	headroom: 15,
	deepSilence: -80,
};
const AMR_VOICE: VoiceRules = { ...MARKED, threshold: -20, needsPauses: true, judgedByCoder: true };

/** Voice rules by codec. Null where levels do not tell speech. Measured: see docs/decisions/0012. */
export const VOICE_RULES: Record<AudioCodec, VoiceRules | null> = {
	pcm: PCM_VOICE,
	alaw: PCM_VOICE,
	ulaw: PCM_VOICE,
	mp3: { ...MARKED, minContrast: 15, maxContrast: 45 },
	aac: { ...MARKED, minContrast: 38, minLoud: 65, maxContrast: 45 },
	/** Levels in bits per sample. Less than half a bit is digital silence or its dither. */
	flac: { minContrast: 4, maxContrast: 40, silence: 3, headroom: 10, deepSilence: 3 },
	opus: { ...MARKED, threshold: -20, judgedByCoder: true },
	/** Only silence can be detected. */
	vorbis: { ...MARKED, threshold: -20 },
	amr_nb: AMR_VOICE,
	amr_wb: AMR_VOICE,
	mp2: null,
	alac: null,
	ac3: null,
	eac3: null,
};

const DECIBELS_PER_BIT = 6.02;

/** Converts the bit rate of a lossless coder to decibels: it spends one bit per doubling of what it cannot predict. */
const bitsScale =
	(samplesPerSecond: number) =>
	(level: number): number =>
		(DECIBELS_PER_BIT * 8 * 10 ** (level / 20)) / samplesPerSecond;

/** Returns the rules for a file, or null if the levels of its codec do not tell speech. */
export function voiceRules({ codec, sampleRate, channels }: AudioInfo): VoiceRules | null {
	const rules = VOICE_RULES[codec];
	return rules && codec === "flac" ? { ...rules, scale: bitsScale(sampleRate * channels) } : rules;
}
