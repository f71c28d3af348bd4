import { STREAM_SAMPLE_RATE } from "@parley/contracts/platform/speech-stream";

const HEADER_BYTES = 44;

/** Buffer of 16-bit little-endian samples that arrive in pieces of any size. The oldest can be dropped. */
export class PcmBuffer {
	/** Position of the buffer's first sample in the stream. */
	private start = 0;
	private pieces: Int16Array[] = [];
	private sampleCount = 0;
	private oddByte: number | undefined;

	/** Adds bytes. Keeps half a sample until its other half arrives. @returns the samples that are complete now. */
	append(bytes: Uint8Array): Int16Array {
		const carried = this.oddByte === undefined ? 0 : 1;
		const whole = new Uint8Array((bytes.byteLength + carried) & ~1);
		if (this.oddByte !== undefined && whole.byteLength > 0) whole[0] = this.oddByte;
		whole.set(
			bytes.subarray(0, Math.max(0, whole.byteLength - carried)),
			Math.min(carried, whole.byteLength),
		);
		const isOdd = (bytes.byteLength + carried) % 2 === 1;
		if (isOdd) this.oddByte = bytes.at(-1) ?? this.oddByte;
		else this.oddByte = undefined;
		const samples = new Int16Array(whole.buffer);
		if (samples.length > 0) this.pieces.push(samples);
		this.sampleCount += samples.length;
		return samples;
	}

	/**
	 * Returns samples as a WAV file.
	 * @param from position in the stream; must not have been dropped
	 */
	toWav(from: number, length: number): Uint8Array {
		const wav = new Uint8Array(HEADER_BYTES + length * 2);
		writeHeader(new DataView(wav.buffer), length * 2);
		const target = new Int16Array(wav.buffer, HEADER_BYTES, length);
		let at = this.start;
		for (const piece of this.pieces) {
			const [first, last] = [Math.max(from, at), Math.min(from + length, at + piece.length)];
			if (first < last) target.set(piece.subarray(first - at, last - at), first - from);
			at += piece.length;
		}
		return wav;
	}

	/** Drops all samples before a position in the stream. */
	dropBefore(sample: number): void {
		for (let first = this.pieces[0]; first && this.start + first.length <= sample; first = this.pieces[0]) {
			this.pieces.shift();
			this.start += first.length;
			this.sampleCount -= first.length;
		}
	}

	get bytes(): number {
		return this.sampleCount * 2;
	}
}

/** Writes the canonical 44 bytes: RIFF, one `fmt ` chunk of PCM, one `data` chunk. Every host of workerd is little-endian. */
function writeHeader(view: DataView, dataBytes: number): void {
	const ascii = (at: number, text: string) => {
		for (const [index, char] of [...text].entries()) view.setUint8(at + index, char.charCodeAt(0));
	};
	ascii(0, "RIFF");
	view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
	ascii(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, 1, true);
	view.setUint32(24, STREAM_SAMPLE_RATE, true);
	view.setUint32(28, STREAM_SAMPLE_RATE * 2, true);
	view.setUint16(32, 2, true);
	view.setUint16(34, 16, true);
	ascii(36, "data");
	view.setUint32(40, dataBytes, true);
}
