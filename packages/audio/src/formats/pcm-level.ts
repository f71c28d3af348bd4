import type { SampleFormat } from "../audio-info.ts";

const FULL: Record<SampleFormat, number> = {
	u8: 128,
	s16: 0x8000,
	s24: 0x800000,
	s32: 0x80000000,
	f32: 1,
	f64: 1,
	alaw: 0x8000,
	ulaw: 0x8000,
};

/** Root mean square of all samples of all channels, in dB of full scale; -120 for digital silence. */
export function pcmLevel(bytes: Uint8Array, format: SampleFormat): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const width =
		format === "f64"
			? 8
			: format === "s32" || format === "f32"
				? 4
				: format === "s24"
					? 3
					: format === "s16"
						? 2
						: 1;
	const count = Math.floor(bytes.length / width);
	const full = FULL[format];
	let sum = 0;
	for (let index = 0; index < count; index++) {
		const value = sample(view, index * width, format) / full;
		sum += value * value;
	}
	// Float samples may be anything, also not a number.
	const power = sum / Math.max(1, count);
	return Number.isFinite(power) ? 10 * Math.log10(power + 1e-12) : 0;
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
