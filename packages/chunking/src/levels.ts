import type { AudioCodec, AudioInfo } from "@parley/audio-files/audio-info";
import { SILENT } from "@parley/audio-files/codecs/loudness";

/** How a pause is told from mere softness where a boundary is sought. */
export type PauseRules = {
	/** How far the quietest place must lie below the window's median to count as a pause; unit of the levels. */
	minContrast: number;
	/** Levels below this are silence, whatever is around. */
	silence: number;
};

/** Root mean square in dB of full scale. */
const PCM_PAUSES = { minContrast: 12, silence: -60 };
const AMR_PAUSES = { minContrast: 20, silence: SILENT + 1 };
/** Where levels come from the size of packets, silence has none of its own. */
const SIZE_PAUSES = { minContrast: 1.5, silence: Number.NEGATIVE_INFINITY };

export const PAUSE_RULES: Record<AudioCodec, PauseRules> = {
	pcm: PCM_PAUSES,
	alaw: PCM_PAUSES,
	ulaw: PCM_PAUSES,
	mp3: { minContrast: 20, silence: SILENT + 1 },
	aac: { minContrast: 18, silence: SILENT + 1 },
	amr_nb: AMR_PAUSES,
	amr_wb: AMR_PAUSES,
	/** Faint noise costs this coder as much as speech, so that only digital silence stands out. */
	vorbis: { minContrast: 6, silence: Number.NEGATIVE_INFINITY },
	flac: SIZE_PAUSES,
	opus: SIZE_PAUSES,
	mp2: SIZE_PAUSES,
	alac: SIZE_PAUSES,
	ac3: SIZE_PAUSES,
	eac3: SIZE_PAUSES,
};

/** How levels tell speech from pauses and from silence; see activity.ts. */
export type ActivityRules = {
	/**
	 * Where the coder has judged itself: levels above are speech. Else the threshold lies between the floor and the loud
	 * places of the chunk.
	 */
	threshold?: number;
	/** A coder that marked no pause at all may have been told not to. */
	needsPauses?: boolean;
	/** Silence is what the coder took for it, and may hold steady noise. */
	judged?: boolean;
	/** Decibels for one unit of the levels, where these are decibels but in name. */
	scale?: (level: number) => number;
	/** Loud places that lie less above the floor are no speech with pauses. */
	minContrast: number;
	/** Loud places below this are no speech: what the coder writes down so low is noise of its own. */
	minLoud?: number;
	/** A floor that lies deeper is taken to lie here. */
	maxContrast: number;
	/** Levels up to here are silence, unless the loud places of the chunk lie less than `headroom` above. */
	silence: number;
	headroom: number;
	/** Levels up to here are silence in any case. */
	deepSilence: number;
};

const MARKED = { minContrast: 0, maxContrast: 0, silence: SILENT + 1, headroom: 0, deepSilence: SILENT + 1 };

const PCM_VOICE: ActivityRules = {
	minContrast: 12,
	maxContrast: 45,
	silence: -60,
	headroom: 15,
	deepSilence: -80,
};
const AMR_VOICE: ActivityRules = { ...MARKED, threshold: -20, needsPauses: true, judged: true };

/** Found by measurement: see README.md. Null where speech is not told. */
export const ACTIVITY_RULES: Record<AudioCodec, ActivityRules | null> = {
	pcm: PCM_VOICE,
	alaw: PCM_VOICE,
	ulaw: PCM_VOICE,
	mp3: { ...MARKED, minContrast: 15, maxContrast: 45 },
	aac: { ...MARKED, minContrast: 38, minLoud: 65, maxContrast: 45 },
	/** Decibels are bits of each sample. Less than a bit and a half is digital silence or its dither. */
	flac: { minContrast: 4, maxContrast: 40, silence: 3, headroom: 10, deepSilence: 3 },
	opus: { ...MARKED, threshold: -20, judged: true },
	/** Only silence is told. */
	vorbis: { ...MARKED, threshold: -20 },
	amr_nb: AMR_VOICE,
	amr_wb: AMR_VOICE,
	mp2: null,
	alac: null,
	ac3: null,
	eac3: null,
};

const DECIBELS_OF_A_BIT = 6.02;

/** A lossless coder spends a bit on each doubling of what it cannot predict. */
const bitsScale =
	(samplesPerSecond: number) =>
	(level: number): number =>
		(DECIBELS_OF_A_BIT * 8 * 10 ** (level / 20)) / samplesPerSecond;

/** How `voiceLevel` tells speech in a file; null where it does not. */
export function voiceRules({ codec, sampleRate, channels }: AudioInfo): ActivityRules | null {
	const rules = ACTIVITY_RULES[codec];
	return rules && codec === "flac" ? { ...rules, scale: bitsScale(sampleRate * channels) } : rules;
}
