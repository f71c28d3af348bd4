import { BitReader, u8 } from "./bytes.ts";

/**
 * How loud a packet is, read from its header without decoding. The figures have no absolute meaning; what counts is how far
 * a pause lies below speech. Measured on speech with known pauses, 56 borders: the quietest 0.3 s of 10 s lay in a pause
 * 55 to 56 times with each of them.
 */

const GAIN_DB = 1.505;
/** Level of a packet that codes nothing. */
export const SILENT = -120;

/** Louder of the two granules and channels by `global_gain`, the quantiser step (ISO 11172-3, 2.4.1.7). */
export function mp3Level(frame: Uint8Array, at: number): number {
	const mpeg1 = (u8(frame, at + 1) & 0x18) === 0x18;
	const mono = u8(frame, at + 3) >> 6 === 3;
	const checked = (u8(frame, at + 1) & 1) === 0;
	const channels = mono ? 1 : 2;
	const bits = new BitReader(frame, at + 4 + (checked ? 2 : 0));
	if (mpeg1) bits.skip(9 + (mono ? 5 : 3) + 4 * channels);
	else bits.skip(8 + (mono ? 1 : 2));
	let level = SILENT;
	for (let granule = 0; granule < (mpeg1 ? 2 : 1) * channels; granule++) {
		const coded = bits.read(12);
		const bigValues = bits.read(9);
		const gain = bits.read(8);
		bits.skip((mpeg1 ? 4 : 9) + 1 + 22 + (mpeg1 ? 3 : 2));
		if (bigValues > 0 || coded >= 8) level = Math.max(level, (gain - 210) * GAIN_DB);
	}
	return level;
}

const [SCE, CPE, DSE, FIL] = [0, 1, 4, 6];

/** `global_gain` of the first channel of an AAC packet, without ADTS header (ISO 14496-3, 4.4.2). Null when unreadable. */
export function aacLevel(packet: Uint8Array): number | null {
	const bits = new BitReader(packet);
	for (let element = bits.read(3); !bits.done; element = bits.read(3)) {
		if (element === SCE || element === CPE) {
			bits.skip(4);
			return element === CPE && bits.read(1) === 1 ? pairGain(bits) : channelGain(bits);
		}
		if (element === FIL) {
			const count = bits.read(4);
			bits.skip(8 * (count === 15 ? 14 + bits.read(8) : count));
		} else if (element === DSE) {
			bits.skip(4);
			const aligned = bits.read(1) === 1;
			const count = bits.read(8);
			const bytes = count === 255 ? 255 + bits.read(8) : count;
			if (aligned) bits.skip(-bits.position & 7);
			bits.skip(8 * bytes);
		} else return null;
	}
	return null;
}

function channelGain(bits: BitReader): number | null {
	const gain = bits.read(8);
	const info = bandInfo(bits);
	return info && (info.bands === 0 ? SILENT : (gain - 100) * GAIN_DB);
}

function pairGain(bits: BitReader): number | null {
	const info = bandInfo(bits);
	if (!info) return null;
	if (bits.read(2) === 1) bits.skip(info.bands * info.groups);
	const gain = bits.read(8);
	return info.bands === 0 ? SILENT : (gain - 100) * GAIN_DB;
}

/** ics_info: number of scale factor bands and window groups; null with prediction, which speech coders do not use. */
function bandInfo(bits: BitReader): { bands: number; groups: number } | null {
	bits.skip(1);
	const shortWindows = bits.read(2) === 2;
	bits.skip(1);
	if (!shortWindows) {
		const bands = bits.read(6);
		return bits.read(1) === 1 ? null : { bands, groups: 1 };
	}
	const bands = bits.read(4);
	const grouping = bits.read(7);
	let groups = 1;
	for (let bit = 0; bit < 7; bit++) if (((grouping >> bit) & 1) === 0) groups++;
	return { bands, groups };
}

/** Bytes a second, in decibels: with a variable bit rate pauses need less. Of no use where the rate is constant. */
export function rateLevel(bytes: number, seconds: number): number {
	return 20 * Math.log10((bytes + 1) / Math.max(seconds, 1e-3));
}

/** Level of a packet that its coder took for speech. */
const SPEECH = 0;
/** Level of one that it took for background. */
const BACKGROUND = -40;

/**
 * What an Opus packet says of itself. In the modes that hold speech its first bit is the coder's own voice detector (RFC
 * 6716, 4.2.3); packets of three bytes or less a frame hold nothing. Null for the mode made for music, whose size
 * follows tones and noise rather than loudness.
 */
export function opusVoice(packet: Uint8Array): number | null {
	const [toc, code] = [u8(packet, 0), u8(packet, 0) & 3];
	const frames = code === 0 ? 1 : code < 3 ? 2 : u8(packet, 1) & 63;
	if (packet.length <= 1 + 2 * frames) return SILENT;
	if (toc >> 3 >= 16) return null;
	return u8(packet, firstOpusFrame(packet, code)) & 0x80 ? SPEECH : BACKGROUND;
}

/** Where the first frame begins behind the counts and lengths (RFC 6716, 3.2). */
function firstOpusFrame(packet: Uint8Array, code: number): number {
	if (code < 2) return 1;
	const lengthBytes = (at: number) => (u8(packet, at) >= 252 ? 2 : 1);
	if (code === 2) return 1 + lengthBytes(1);
	const counts = u8(packet, 1);
	let at = 2;
	if (counts & 0x40) {
		while (u8(packet, at) === 255) at++;
		at++;
	}
	const lengths = counts & 0x80 ? (counts & 63) - 1 : 0;
	for (let index = 0; index < lengths; index++) at += lengthBytes(at);
	return at;
}

/** A Vorbis packet without a floor is silence; of others the size tells tones and noise rather than loudness. */
export const vorbisVoice = (packet: Uint8Array): number | null => (packet.length <= 2 ? SILENT : null);

/** AMR says of each frame whether it holds speech: silence descriptors and empty frames do not. */
export const amrLevel = (frameType: number): number => (frameType < 8 ? 0 : SILENT);

/** Contrast that tells a pause from mere softness, and the level of true silence. */
export const LEVEL_RULES = {
	/** Root mean square in dB of full scale. */
	pcm: { minContrast: 12, silence: -60 },
	mp3: { minContrast: 20, silence: SILENT + 1 },
	aac: { minContrast: 18, silence: SILENT + 1 },
	opus: { minContrast: 1.5, silence: Number.NEGATIVE_INFINITY },
	flac: { minContrast: 1.5, silence: Number.NEGATIVE_INFINITY },
	/** Faint noise costs this coder as much as speech, so that only digital silence stands out. */
	vorbis: { minContrast: 6, silence: Number.NEGATIVE_INFINITY },
	amr: { minContrast: 20, silence: SILENT + 1 },
} as const;

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

/** Found by measurement: see README.md. Vorbis, MPEG layer II and AC-3 are not told. */
export const ACTIVITY_RULES = {
	pcm: { minContrast: 12, maxContrast: 45, silence: -60, headroom: 15, deepSilence: -80 },
	mp3: { ...MARKED, minContrast: 15, maxContrast: 45 },
	aac: { ...MARKED, minContrast: 38, minLoud: 65, maxContrast: 45 },
	/** Decibels are bits of each sample. Less than a bit and a half is digital silence or its dither. */
	flac: { minContrast: 4, maxContrast: 40, silence: 3, headroom: 10, deepSilence: 3 },
	opus: { ...MARKED, threshold: -20, judged: true },
	/** Only silence is told. */
	vorbis: { ...MARKED, threshold: -20 },
	amr: { ...MARKED, threshold: -20, needsPauses: true, judged: true },
} as const satisfies Record<string, ActivityRules>;

const DECIBELS_OF_A_BIT = 6.02;

/** A lossless coder spends a bit on each doubling of what it cannot predict. */
export const bitsScale =
	(samplesPerSecond: number) =>
	(level: number): number =>
		(DECIBELS_OF_A_BIT * 8 * 10 ** (level / 20)) / samplesPerSecond;
