import { startProgram } from "./wasi.ts";

/** Samples a second of everything the decoder gives and the recogniser takes. */
export const SAMPLE_RATE = 16_000;

/** Decodes one file, block by block. */
export interface AudioDecoder {
	/** The next samples (mono, 16 bit, `SAMPLE_RATE`), or null at the end. */
	read(): Int16Array<ArrayBuffer> | null;
	/** Channels of the file, known once something has been read. */
	channels(): number;
}

export interface DecoderOptions {
	/** The channel to decode, from 0; all are mixed when absent. One that the file lacks is silent. */
	channel?: number | undefined;
	/** What decoding may take of memory, beside the file. */
	maxBytes?: number | undefined;
}

/** The bytes are no audio that can be decoded. */
export class UndecodableAudio extends Error {
	override name = "UndecodableAudio";
}

const ALL_CHANNELS = -1;

/**
 * Opens an audio (or video) file of any container and codec compiled into the module; the best audio stream is taken.
 * Throws `UndecodableAudio`. A file that breaks off gives what could be decoded up to there; what is broken in its middle is
 * silence of the same length.
 */
export async function openAudio(
	module: WebAssembly.Module,
	file: Uint8Array,
	{ channel = ALL_CHANNELS, maxBytes }: DecoderOptions = {},
): Promise<AudioDecoder> {
	const program = await startProgram(module, new Map([["/audio", file]]), maxBytes);
	if (attempt(() => program.call("audio_open", channel)) < 0)
		throw new UndecodableAudio("it holds no audio that is known here");
	let decoded = 0;
	return {
		read() {
			const count = attempt(() => program.call("audio_read"));
			if (count > 0) {
				decoded += count;
				const at = program.call("audio_samples");
				return new Int16Array(program.bytes().slice(at, at + count * 2).buffer);
			}
			if (decoded === 0) throw new UndecodableAudio("it holds no audio samples");
			return null;
		},
		channels: () => program.call("audio_channels"),
	};
}

/** Hostile files may trap the decoder: its memory is its own, so that is one more way of being undecodable. */
function attempt(step: () => number): number {
	try {
		return step();
	} catch (error) {
		if (error instanceof WebAssembly.RuntimeError) return -1;
		throw error;
	}
}
