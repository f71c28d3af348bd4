const HEADER_BYTES = 44;
const PCM = 1;

/** Creates a RIFF/WAVE file of 16-bit samples of one channel. */
export function waveFile(blocks: readonly Int16Array[], rate: number): Uint8Array<ArrayBuffer> {
	const dataBytes = 2 * blocks.reduce((sum, block) => sum + block.length, 0);
	const file = new Uint8Array(HEADER_BYTES + dataBytes);
	const view = new DataView(file.buffer);
	const text = (at: number, value: string) => new TextEncoder().encodeInto(value, file.subarray(at));
	text(0, "RIFF");
	view.setUint32(4, file.length - 8, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, PCM, true);
	view.setUint16(22, 1, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * 2, true);
	view.setUint16(32, 2, true);
	view.setUint16(34, 16, true);
	text(36, "data");
	view.setUint32(40, dataBytes, true);
	// Samples of WAVE files are little-endian, as in WebAssembly.
	let at = HEADER_BYTES;
	for (const block of blocks) {
		file.set(new Uint8Array(block.buffer, block.byteOffset, block.byteLength), at);
		at += block.byteLength;
	}
	return file;
}
