import { PeakMeter } from "@parley/audio-files/peaks";
import {
	DECODED_RATE,
	type DecodeAudio,
	type DecodedAudio,
	type DecodeRefusal,
} from "@parley/contracts/internal/decoder-rpc";
import { openAudio, UndecodableAudio } from "@parley/decoder/audio-decoder";
import { waveFile } from "./wave-file.ts";

/** Maximum memory besides the file and its samples. Decoders need three to five megabytes. */
const MAX_DECODER_BYTES = 32 * 1024 * 1024;
/** Maximum duration of a chunk, so that the response fits into a message of 32 MiB. */
const MAX_SECONDS = 900;
/** Samples to decode before other calls get their turn. */
const TURN_SAMPLES = 10 * DECODED_RATE;

/**
 * Decodes a file with an instance of its own, so that a hostile file harms only itself. Returns a refusal for every fault of the file and throws
 * nothing for it.
 */
export async function decodeAudio(
	module: WebAssembly.Module,
	{ file, channel, maxSeconds, peaksOnly = false }: DecodeAudio,
): Promise<DecodedAudio | DecodeRefusal> {
	const maxSamples = Math.min(maxSeconds, MAX_SECONDS) * DECODED_RATE;
	try {
		const audio = await openAudio(module, file, { channel, maxBytes: MAX_DECODER_BYTES });
		const blocks: Int16Array[] = [];
		let samples = 0;
		let peak = 0;
		const meter = new PeakMeter(DECODED_RATE);
		let turn = 0;
		for (let block = audio.read(); block; block = audio.read()) {
			samples += block.length;
			if (samples > maxSamples) return { ok: false, reason: "too_long" };
			for (const sample of block) peak = Math.max(peak, Math.abs(sample));
			meter.add(block);
			if (!peaksOnly) blocks.push(block);
			turn += block.length;
			if (turn >= TURN_SAMPLES) {
				turn = 0;
				await scheduler.wait(0);
			}
		}
		const seconds = samples / DECODED_RATE;
		return {
			ok: true,
			wav: peaksOnly ? new Uint8Array() : waveFile(blocks, DECODED_RATE),
			seconds,
			channels: audio.channels(),
			peak: peak / 32_768,
			peaks: meter.peaks(),
		};
	} catch (error) {
		if (error instanceof UndecodableAudio) return { ok: false, reason: "undecodable" };
		throw error;
	}
}
