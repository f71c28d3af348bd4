/** A PCM file of 16 kHz mono: a tone that swells and fades once a second, so that it has pauses. */
export function wav(seconds: number): Uint8Array<ArrayBuffer> {
	const rate = 16_000;
	const samples = Math.round(seconds * rate);
	const bytes = new Uint8Array(44 + samples * 2);
	const view = new DataView(bytes.buffer);
	const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
	text(0, "RIFF");
	view.setUint32(4, bytes.byteLength - 8, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, 1, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * 2, true);
	view.setUint16(32, 2, true);
	view.setUint16(34, 16, true);
	text(36, "data");
	view.setUint32(40, samples * 2, true);
	for (let index = 0; index < samples; index++) {
		const envelope = Math.max(0, Math.sin((2 * Math.PI * index) / rate));
		view.setInt16(44 + index * 2, 8000 * envelope * Math.sin((2 * Math.PI * 220 * index) / rate), true);
	}
	return bytes;
}
