/** Silence as a WAV file: 16 kHz, 16 bits, mono. */
export function silentWav(seconds: number): Uint8Array<ArrayBuffer> {
	const data = Math.round(seconds * 16_000) * 2;
	const bytes = new Uint8Array(44 + data);
	const view = new DataView(bytes.buffer);
	const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
	text(0, "RIFF");
	view.setUint32(4, 36 + data, true);
	text(8, "WAVEfmt ");
	for (const [at, value] of [
		[16, 16],
		[24, 16_000],
		[28, 32_000],
		[40, data],
	] as const)
		view.setUint32(at, value, true);
	for (const [at, value] of [
		[20, 1],
		[22, 1],
		[32, 2],
		[34, 16],
	] as const)
		view.setUint16(at, value, true);
	text(36, "data");
	return bytes;
}
