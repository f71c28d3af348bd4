import { startProgram } from "./wasi.ts";

/** Sample rate of the decoder's output and the recogniser's input. */
export const SAMPLE_RATE = 16_000;

/** A decoder of one file, block by block. */
export interface AudioDecoder {
	/** Returns the next samples (mono, 16 bits, `SAMPLE_RATE`), or null at the end. */
	read(): Int16Array<ArrayBuffer> | null;
	/** Returns the number of channels of the file, which is known after the first read. */
	channels(): number;
}

export interface DecoderOptions {
	/** Channel to decode, from 0. Mixes all by default. A channel that the file lacks is silent. */
	channel?: number | undefined;
	/** Maximum memory for decoding, besides the file. */
	maxBytes?: number | undefined;
}

/** A file that contains no audio that can be decoded. */
export class UndecodableAudio extends Error {
	override name = "UndecodableAudio";
}

const ALL_CHANNELS = -1;

/**
 * Opens an audio or video file of any container and codec in the module, and selects its best audio stream. A truncated file is decoded up to its
 * end. Damage in the middle becomes silence of the same length.
 * @throws UndecodableAudio
 */
export async function openAudio(
	module: WebAssembly.Module,
	file: Uint8Array,
	{ channel = ALL_CHANNELS, maxBytes }: DecoderOptions = {},
): Promise<AudioDecoder> {
	const program = await startProgram(module, new Map([["/audio", file]]), maxBytes);
	if (attempt(() => program.call("audio_open", channel)) < 0)
		throw new UndecodableAudio("it contains no supported audio");
	let decoded = 0;
	return {
		read() {
			const count = attempt(() => program.call("audio_read"));
			if (count > 0) {
				decoded += count;
				const at = program.call("audio_samples");
				return new Int16Array(program.bytes().slice(at, at + count * 2).buffer);
			}
			if (decoded === 0) throw new UndecodableAudio("it contains no audio samples");
			return null;
		},
		channels: () => program.call("audio_channels"),
	};
}

/** Runs a step of the decoder. Returns -1 for a trap, which a hostile file may cause and which harms only the module's own memory. */
function attempt(step: () => number): number {
	try {
		return step();
	} catch (error) {
		if (error instanceof WebAssembly.RuntimeError) return -1;
		throw error;
	}
}
