import { fromBase64, toBase64 } from "@parley/bytes/base64";
import { concat } from "@parley/bytes/concat";
import type { AudioCodec, AudioInfo, Layout, SampleFormat } from "../../audio-info.ts";
import { type AudioSource, BLOCK_BYTES, cachedSource } from "../../audio-source.ts";
import { ascii, latin1, u16le, u32le, u64le } from "../../bytes.ts";
import { pcmLevel } from "../../codecs/pcm.ts";
import type { PacketVisitor, Scan } from "../../packets.ts";
import { broken, emptyAudio, unsupportedCodec } from "../../unsupported-audio.ts";

export type WavLayout = Extract<Layout, { kind: "wav" }>;

const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const ULAW = 7;
const EXTENSIBLE = 0xfffe;
const TAG_NAMES: Record<number, string> = {
	2: "Microsoft ADPCM",
	17: "IMA ADPCM",
	49: "GSM 6.10",
	80: "MPEG",
	85: "MP3",
	255: "AAC",
	353: "Windows Media Audio",
};
/** Chunks before the sound; files in the wild have fewer than twenty. */
const MAX_CHUNKS = 1000;
/** Size of a data chunk whose recorder did not know it beforehand. */
const UNKNOWN_SIZE = 0xffffffff;
const STEP_SECONDS = 0.02;
/** Bytes per second below which reads are cached: one block then covers several boundaries, of which there may be thousands. */
const MIN_UNCACHED_RATE = 4096;

/** Reads the headers of a WAVE, RF64 or BW64 file. */
export async function openWav(source: AudioSource): Promise<AudioInfo> {
	let format: Uint8Array | undefined;
	let longSize: number | undefined;
	for (let at = 12, chunks = 0; at + 8 <= source.size && chunks < MAX_CHUNKS; chunks++) {
		const header = await source.read(at, at + 8);
		const id = ascii(header, 0, 4);
		const size = u32le(header, 4);
		const body = at + 8;
		if (id === "ds64") longSize = u64le(await source.read(body, Math.min(source.size, body + 16)), 8);
		if (id === "fmt ") format = await source.read(body, Math.min(source.size, body + Math.min(size, 64)));
		if (id === "data") {
			if (!format) throw broken("its data chunk precedes its format chunk");
			const declared = size === UNKNOWN_SIZE ? (longSize ?? source.size) : size === 0 ? source.size : size;
			return wavInfo(source, format, body, declared);
		}
		at = body + size + (size & 1);
	}
	throw broken("its data chunk is missing");
}

function wavInfo(source: AudioSource, format: Uint8Array, start: number, declared: number): AudioInfo {
	if (format.length < 16) throw broken("its format chunk is cut off");
	const outer = u16le(format, 0);
	const tag = outer === EXTENSIBLE && format.length >= 26 ? u16le(format, 24) : outer;
	const channels = u16le(format, 2);
	const sampleRate = u32le(format, 4);
	const bits = u16le(format, 14);
	const blockAlign = u16le(format, 12);
	const kind = sampleFormat(tag, bits);
	if (!kind) {
		const name = TAG_NAMES[tag] ?? `format ${tag} with ${bits} bits`;
		throw unsupportedCodec(name);
	}
	if (channels === 0 || sampleRate === 0 || blockAlign !== (channels * bits) / 8) {
		throw broken("its format chunk contradicts itself");
	}
	const available = Math.min(declared, source.size - start);
	const isCutOff = declared > source.size;
	const end = start + available - (available % blockAlign);
	if (end <= start) throw emptyAudio();
	const codec: AudioCodec = kind === "alaw" || kind === "ulaw" ? kind : "pcm";
	return {
		container: "riff",
		format: "wav",
		codec,
		channels,
		sampleRate,
		durationSeconds: (end - start) / blockAlign / sampleRate,
		exactDuration: true,
		...(isCutOff ? { declaredSeconds: declared / blockAlign / sampleRate } : {}),
		sizeBytes: source.size,
		layout: { kind: "wav", format: toBase64(format), blockAlign, sampleFormat: kind, start, end },
	};
}

function sampleFormat(tag: number, bits: number): SampleFormat | null {
	if (tag === PCM) return ({ 8: "u8", 16: "s16", 24: "s24", 32: "s32" } as const)[bits] ?? null;
	if (tag === FLOAT) return ({ 32: "f32", 64: "f64" } as const)[bits] ?? null;
	if (tag === ALAW && bits === 8) return "alaw";
	return tag === ULAW && bits === 8 ? "ulaw" : null;
}

/** Reports all samples in steps, and reads only those around each boundary. */
export async function scanWav(file: AudioSource, info: AudioInfo, visitor: PacketVisitor): Promise<Scan> {
	const layout = info.layout as WavLayout;
	const { start, end, blockAlign } = layout;
	const bytesPerSecond = info.sampleRate * blockAlign;
	const source = bytesPerSecond < MIN_UNCACHED_RATE ? cachedSource(file) : file;
	const step = Math.max(1, Math.round(info.sampleRate * STEP_SECONDS)) * blockAlign;
	const secondsAt = (at: number) => (at - start) / bytesPerSecond;
	const offsetOf = (seconds: number) => start + Math.floor((seconds * bytesPerSecond) / step) * step;
	const add = (from: number, to: number, level: number | null) =>
		visitor.add(from, 0, to - from, secondsAt(from), secondsAt(to) - secondsAt(from), level);
	// One packet up to the next boundary, then steps, and steps with levels in the wanted span.
	const margin = visitor.overlapSeconds + STEP_SECONDS;
	for (let at = start; at < end; ) {
		const { from, until } = visitor.wanted;
		const seconds = secondsAt(at);
		if (seconds < from || seconds >= until) {
			const to = Math.min(end, Math.max(at + step, seconds < from ? offsetOf(from - margin) : 0));
			add(at, to, null);
			at = to;
		} else {
			const block = Math.max(step, BLOCK_BYTES - (BLOCK_BYTES % step));
			const bytes = await source.read(at, Math.min(end, Math.max(at + step, offsetOf(until)), at + block));
			const first = at;
			while (at < first + bytes.length && visitor.wanted.from === from) {
				const to = Math.min(end, first + bytes.length, at + step);
				add(at, to, pcmLevel(bytes.subarray(at - first, to - first), layout.sampleFormat));
				at = to;
			}
		}
	}
	return { end: [end, 0], endSeconds: info.durationSeconds ?? 0 };
}

/** Writes samples into a WAVE file. */
export function writeWav(info: AudioInfo, samples: Uint8Array): Uint8Array<ArrayBuffer> {
	const format = fromBase64((info.layout as WavLayout).format);
	const size = samples.length;
	const header = new Uint8Array(28 + format.length + (format.length & 1));
	const view = new DataView(header.buffer);
	header.set(latin1("RIFF"), 0);
	view.setUint32(4, header.length - 8 + size + (size & 1), true);
	header.set(latin1("WAVEfmt "), 8);
	view.setUint32(16, format.length, true);
	header.set(format, 20);
	header.set(latin1("data"), header.length - 8);
	view.setUint32(header.length - 4, size, true);
	return concat([header, samples, new Uint8Array(size & 1)]);
}
