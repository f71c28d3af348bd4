import type { SampleFormat } from "../audio-info.ts";

/** Full scale of each sample format. */
const FULL_SCALE: Record<SampleFormat, number> = {
	u8: 128,
	s16: 0x8000,
	s24: 0x800000,
	s32: 0x80000000,
	f32: 1,
	f64: 1,
	alaw: 0x8000,
	ulaw: 0x8000,
};

/** Bytes per sample. */
const WIDTHS: Record<SampleFormat, number> = {
	u8: 1,
	s16: 2,
	s24: 3,
	s32: 4,
	f32: 4,
	f64: 8,
	alaw: 1,
	ulaw: 1,
};

/** Returns the root mean square of all samples of all channels, in dB of full scale. Digital silence is -120. */
export function pcmLevel(bytes: Uint8Array, format: SampleFormat): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const width = WIDTHS[format];
	const count = Math.floor(bytes.length / width);
	const full = FULL_SCALE[format];
	let sum = 0;
	for (let index = 0; index < count; index++) {
		const value = sample(view, index * width, format) / full;
		sum += value * value;
	}
	// Float samples may be NaN or infinite.
	const power = sum / Math.max(1, count);
	return Number.isFinite(power) ? 10 * Math.log10(power + 1e-12) : 0;
}

/** Maximum samples to read per cell. They give its level to within about a decibel at a tenth of the cost. */
const MAX_SAMPLES_PER_CELL = 96;

/**
 * Yields the level of each cell of `samplesPerCell` samples, as `pcmLevel` defines it. Reads samples spread over the cell by the golden
 * ratio, so that no tone can hide between them. The last cell may be shorter: its `cells` is less than 1.
 */
export function* pcmCells(
	bytes: Uint8Array,
	format: SampleFormat,
	samplesPerCell: number,
): Generator<{ level: number; cells: number }> {
	const width = WIDTHS[format];
	const full = FULL_SCALE[format];
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const aligned = format === "s16" && bytes.byteOffset % 2 === 0;
	const words = aligned ? new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1) : null;
	const count = Math.floor(bytes.length / width);
	const readsPerCell = Math.max(1, Math.min(MAX_SAMPLES_PER_CELL, Math.floor(samplesPerCell)));
	const offsets = Int32Array.from({ length: readsPerCell }, (_, index) =>
		Math.floor(((index * 0.6180339887498949) % 1) * samplesPerCell),
	).sort();
	for (let from = 0; from < count; from += samplesPerCell) {
		const at = Math.floor(from);
		let sum = 0;
		let seen = 0;
		for (let index = 0; index < readsPerCell; index++) {
			const position = at + (offsets[index] as number);
			if (position >= count) break;
			const value = words ? (words[position] as number) : sample(view, position * width, format);
			sum += value * value;
			seen++;
		}
		const power = sum / Math.max(1, seen) / (full * full);
		const level = Number.isFinite(power) ? 10 * Math.log10(power + 1e-12) : 0;
		yield { level, cells: Math.min(1, (count - from) / samplesPerCell) };
	}
}

function sample(view: DataView, at: number, format: SampleFormat): number {
	switch (format) {
		case "u8":
			return view.getUint8(at) - 128;
		case "s16":
			return view.getInt16(at, true);
		case "s24":
			return (view.getInt16(at + 1, true) << 8) | view.getUint8(at);
		case "s32":
			return view.getInt32(at, true);
		case "f32":
			return view.getFloat32(at, true);
		case "f64":
			return view.getFloat64(at, true);
		case "alaw":
			return alaw(view.getUint8(at));
		case "ulaw":
			return ulaw(view.getUint8(at));
	}
}

// ITU-T G.711
function alaw(code: number): number {
	const byte = code ^ 0x55;
	const exponent = (byte >> 4) & 7;
	const mantissa = ((byte & 15) << 4) + 8;
	const value = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
	return byte & 0x80 ? value : -value;
}

function ulaw(code: number): number {
	const byte = ~code & 0xff;
	const value = ((((byte & 15) << 3) + 132) << ((byte >> 4) & 7)) - 132;
	return byte & 0x80 ? -value : value;
}
