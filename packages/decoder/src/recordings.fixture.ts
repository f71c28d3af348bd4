import { readFileSync } from "node:fs";
import { openAudio } from "./audio-decoder.ts";

const FOLDER = new URL("../../testing/fixtures/speech/", import.meta.url);

export interface Recording {
	file: string;
	voice: string;
	text: string;
	bytes: Uint8Array<ArrayBuffer>;
}

/** Returns the recordings of a list in packages/testing/fixtures/speech. */
export function recordings(list: "sentences" | "formats" | "minute" | "vocabulary"): Recording[] {
	const entries: Omit<Recording, "bytes">[] = JSON.parse(
		readFileSync(new URL(`${list}.json`, FOLDER), "utf8"),
	);
	return entries.map((entry) => ({
		...entry,
		bytes: new Uint8Array(readFileSync(new URL(entry.file, FOLDER))),
	}));
}

/** Returns one recording of a list, by default the first. */
export function recording(list: Parameters<typeof recordings>[0], file?: string): Recording {
	const found = recordings(list).find((entry) => !file || entry.file === file);
	if (!found) throw new Error(`there is no recording ${file} in ${list}.json`);
	return found;
}

/** Decodes a file in this thread and returns all samples. @throws UndecodableAudio */
export async function decode(
	decoder: WebAssembly.Module,
	file: Uint8Array,
): Promise<Int16Array<ArrayBuffer>> {
	const audio = await openAudio(decoder, file);
	const blocks: Int16Array[] = [];
	for (let block = audio.read(); block; block = audio.read()) blocks.push(block);
	const samples = new Int16Array(blocks.reduce((sum, block) => sum + block.length, 0));
	let at = 0;
	for (const block of blocks) {
		samples.set(block, at);
		at += block.length;
	}
	return samples;
}

export interface WaveFormat {
	/** 1 PCM, 3 float, 6 A-law, 7 mu-law. */
	tag: number;
	bits: number;
	rate: number;
	channels: number;
}

/** Creates a RIFF/WAVE file. `sample` writes one sample of one channel. */
export function waveFile(
	{ tag, bits, rate, channels }: WaveFormat,
	frames: number,
	sample: (view: DataView, at: number, frame: number, channel: number) => void,
): Uint8Array<ArrayBuffer> {
	const blockSize = (bits / 8) * channels;
	const bytes = new Uint8Array(44 + frames * blockSize);
	const view = new DataView(bytes.buffer);
	bytes.set(new TextEncoder().encode("RIFF    WAVEfmt     "));
	bytes.set(new TextEncoder().encode("data"), 36);
	view.setUint32(4, bytes.length - 8, true);
	view.setUint32(16, 16, true);
	view.setUint16(20, tag, true);
	view.setUint16(22, channels, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * blockSize, true);
	view.setUint16(32, blockSize, true);
	view.setUint16(34, bits, true);
	view.setUint32(40, frames * blockSize, true);
	for (let frame = 0; frame < frames; frame++)
		for (let channel = 0; channel < channels; channel++)
			sample(view, 44 + frame * blockSize + (channel * bits) / 8, frame, channel);
	return bytes;
}

/** Creates a WAVE file of 16-bit mono samples at 16 kHz. */
export function monoWave(samples: Int16Array): Uint8Array<ArrayBuffer> {
	return waveFile({ tag: 1, bits: 16, rate: 16_000, channels: 1 }, samples.length, (view, at, frame) =>
		view.setInt16(at, samples[frame] ?? 0, true),
	);
}
