/** A PCM file of 16 kHz: on each channel a tone, 0 for silence, that swells and fades once a second, so that it has pauses. */
export function wav(seconds: number, hertz: readonly number[] = [220]): Uint8Array<ArrayBuffer> {
	const rate = 16_000;
	const channels = hertz.length;
	const samples = Math.round(seconds * rate);
	const bytes = new Uint8Array(44 + samples * channels * 2);
	const view = new DataView(bytes.buffer);
	const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
	text(0, "RIFF");
	view.setUint32(4, bytes.byteLength - 8, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, channels, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * channels * 2, true);
	view.setUint16(32, channels * 2, true);
	view.setUint16(34, 16, true);
	text(36, "data");
	view.setUint32(40, samples * channels * 2, true);
	for (let index = 0; index < samples; index++) {
		const envelope = Math.max(0, Math.sin((2 * Math.PI * index) / rate));
		for (const [channel, pitch] of hertz.entries()) {
			const value = 8000 * envelope * Math.sin((2 * Math.PI * pitch * index) / rate);
			view.setInt16(44 + (index * channels + channel) * 2, value, true);
		}
	}
	return bytes;
}
