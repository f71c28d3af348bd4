// A level is the loudness of a packet, read from its header without decoding. Levels of different codecs do not compare. What counts is
// how far a pause lies below speech; docs/decisions/0012 has the measurements.

/** Decibels per step of the quantiser's gain in MP3 and AAC. */
export const GAIN_DB = 1.505;
/** Level of a packet without audio content. */
export const SILENT = -120;
/** Level of a packet that its coder marked as speech. */
export const SPEECH = 0;
/** Level of a packet that its coder marked as background. */
export const BACKGROUND = -40;

/** Returns the bit rate of a packet in decibels. With a variable bit rate, pauses need fewer bits. */
export function rateLevel(bytes: number, seconds: number): number {
	return 20 * Math.log10((bytes + 1) / Math.max(seconds, 1e-3));
}
