// What the decoder answers to the transcriber, by RPC.

/** Samples a second of what the decoder gives. */
export const DECODED_RATE = 16_000;

export type DecodeAudio = {
	/** A whole file of any known container and codec. */
	file: Uint8Array;
	/** The channel to decode, from 0; all are mixed when absent. */
	channel?: number;
	/** Maximum length of the decoded audio. */
	maxSeconds: number;
	/** Leaves `wav` empty, for callers that need only the peaks. */
	peaksOnly?: boolean;
};

export type DecodedAudio = {
	ok: true;
	/** PCM of 16 bits, one channel, `DECODED_RATE`. */
	wav: Uint8Array<ArrayBuffer>;
	seconds: number;
	/** Number of channels of the file. */
	channels: number;
	/** The loudest sample as a share of full scale. */
	peak: number;
	/** Loudest sample of each twentieth of a second, 0 to 255. */
	peaks: Uint8Array<ArrayBuffer>;
};

export type DecodeRefusal = {
	ok: false;
	/** `undecodable`: no audio of a known kind, or damaged beyond use; `too_long`: more sound than `maxSeconds`. */
	reason: "undecodable" | "too_long";
};

export interface DecoderRpc {
	decode(request: DecodeAudio): Promise<DecodedAudio | DecodeRefusal>;
}
