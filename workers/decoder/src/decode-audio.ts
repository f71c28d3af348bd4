import {
	DECODED_RATE,
	type DecodeAudio,
	type DecodedAudio,
	type DecodeRefusal,
} from "@parley/contracts/decoder-rpc";
import { openAudio, UndecodableAudio } from "@parley/decoder/audio-decoder";
import { waveFile } from "./wave-file.ts";

/** Beside the file and its samples: decoders take three to five megabytes, and what takes more is made to. */
const MAX_DECODER_BYTES = 32 * 1024 * 1024;
/** An answer has to fit into a message of 32 MiB. */
const MAX_SECONDS = 900;
/** Others get their turn in between. */
const TURN_SAMPLES = 10 * DECODED_RATE;

/**
 * Decodes a file with an instance of its own, so that a hostile one harms only itself and its memory goes with it. Whatever
 * is wrong with the file is an answer; nothing is thrown for it.
 */
export async function decodeAudio(
	module: WebAssembly.Module,
	{ file, channel, maxSeconds }: DecodeAudio,
): Promise<DecodedAudio | DecodeRefusal> {
	const maxSamples = Math.min(maxSeconds, MAX_SECONDS) * DECODED_RATE;
	try {
		const audio = await openAudio(module, file, { channel, maxBytes: MAX_DECODER_BYTES });
		const blocks: Int16Array[] = [];
		let samples = 0;
		let peak = 0;
		let turn = 0;
		for (let block = audio.read(); block; block = audio.read()) {
			samples += block.length;
			if (samples > maxSamples) return { ok: false, reason: "too_long" };
			for (const sample of block) peak = Math.max(peak, Math.abs(sample));
			blocks.push(block);
			turn += block.length;
			if (turn >= TURN_SAMPLES) {
				turn = 0;
				await scheduler.wait(0);
			}
		}
		const seconds = samples / DECODED_RATE;
		return {
			ok: true,
			wav: waveFile(blocks, DECODED_RATE),
			seconds,
			channels: audio.channels(),
			peak: peak / 32_768,
		};
	} catch (error) {
		if (error instanceof UndecodableAudio) return { ok: false, reason: "undecodable" };
		throw error;
	}
}
