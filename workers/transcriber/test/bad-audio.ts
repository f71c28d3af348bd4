/** What a PCM file is made of; 16 bit, mono, 16 kHz, a second where nothing is said. */
type Pcm = { bits?: 8 | 16 | 24 | 32; isFloat?: boolean; channels?: number; rate?: number; seconds?: number };

/** A PCM file of any kind: a tone of 220 Hz that swells and fades once a second. */
export function pcm({ bits = 16, isFloat = false, channels = 1, rate = 16_000, seconds = 3 }: Pcm = {}) {
	const frame = (bits / 8) * channels;
	const frames = Math.round(rate * seconds);
	const bytes = new Uint8Array(44 + frames * frame);
	const view = new DataView(bytes.buffer);
	const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
	text(0, "RIFF");
	view.setUint32(4, bytes.byteLength - 8, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, isFloat ? 3 : 1, true);
	view.setUint16(22, channels, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, rate * frame, true);
	view.setUint16(32, frame, true);
	view.setUint16(34, bits, true);
	text(36, "data");
	view.setUint32(40, frames * frame, true);
	for (let index = 0; index < frames; index++) {
		const time = index / rate;
		const value = 0.25 * Math.max(0, Math.sin(2 * Math.PI * time)) * Math.sin(2 * Math.PI * 220 * time);
		for (let channel = 0; channel < channels; channel++) {
			const at = 44 + index * frame + (channel * bits) / 8;
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

/** The file behind an ID3 tag with a picture of so many bytes. https://id3.org/id3v2.4.0-structure */
export function withPicture(file: Uint8Array, pictureBytes: number): Uint8Array<ArrayBuffer> {
	const syncsafe = (value: number) => [21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f);
	const frame = [...new TextEncoder().encode("APIC"), ...syncsafe(pictureBytes), 0, 0];
	const header = [...new TextEncoder().encode("ID3"), 4, 0, 0, ...syncsafe(frame.length + pictureBytes)];
	const bytes = new Uint8Array(header.length + frame.length + pictureBytes + file.length);
	bytes.set([...header, ...frame]);
	// A picture holds what looks like frames of sound.
	bytes.fill(0xff, header.length + frame.length, bytes.length - file.length);
	bytes.set(file, bytes.length - file.length);
	return bytes;
}

/** A bucket that tells how much was read of it at once, and in all. */
export function countReads(bucket: R2Bucket) {
	const reads = { largest: 0, total: 0 };
	const get = async (key: string, options?: R2GetOptions) => {
		const object = await bucket.get(key, options ?? {});
		const range = object?.range as { length?: number } | undefined;
		const bytes = range?.length ?? object?.size ?? 0;
		if (key.startsWith("inputs/")) {
			reads.largest = Math.max(reads.largest, bytes);
			reads.total += bytes;
		}
		return object;
	};
	const counted = new Proxy(bucket, {
		get(target, name) {
			if (name === "get") return get;
			const value = Reflect.get(target, name);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	return { bucket: counted, reads };
}
