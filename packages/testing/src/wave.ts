/** Properties of a PCM file; 16 bits, one channel and 16 kHz by default. 32 bits means floats. */
export type Wave = {
	seconds: number;
	rate?: number;
	channels?: number;
	bits?: 8 | 16 | 24 | 32;
	isFloat?: boolean;
};

/** A RIFF/WAVE file with a plain header of 44 bytes; `sample` gives a channel's value, of -1 to 1, at a time in seconds. */
export function wave(
	{ seconds, rate = 16_000, channels = 1, bits = 16, isFloat = false }: Wave,
	sample: (time: number, channel: number) => number,
): Uint8Array<ArrayBuffer> {
	const frame = (bits / 8) * channels;
	const frames = Math.round(rate * seconds);
	const bytes = new Uint8Array(44 + frames * frame);
	const view = new DataView(bytes.buffer);
	bytes.set(new TextEncoder().encode("RIFF    WAVEfmt "));
	bytes.set(new TextEncoder().encode("data"), 36);
	view.setUint32(4, bytes.length - 8, true);
	view.setUint32(16, 16, true);
	view.setUint16(20, isFloat ? 3 : 1, true);
	view.setUint16(22, channels, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * frame, true);
	view.setUint16(32, frame, true);
	view.setUint16(34, bits, true);
	view.setUint32(40, bytes.length - 44, true);
	for (let index = 0; index < frames; index++) {
		for (let channel = 0; channel < channels; channel++) {
			const at = 44 + index * frame + (channel * bits) / 8;
			const value = sample(index / rate, channel);
			if (isFloat) view.setFloat32(at, value, true);
			else if (bits === 8) view.setUint8(at, 128 + Math.round(value * 127));
			else if (bits === 16) view.setInt16(at, Math.round(value * 32_767), true);
			else {
				const whole = Math.round(value * 0x7fffff);
				view.setUint16(at, whole & 0xffff, true);
				view.setInt8(at + 2, whole >> 16);
			}
		}
	}
	return bytes;
}
