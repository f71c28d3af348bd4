import { type Wave, wave } from "@parley/testing/wave";

/** A PCM file of any kind: a tone of 220 Hz that swells and fades once a second. */
export const pcm = (kind: Partial<Wave> = {}) =>
	wave({ seconds: 3, ...kind }, (time) => {
		const envelope = Math.max(0, Math.sin(2 * Math.PI * time));
		return 0.25 * envelope * Math.sin(2 * Math.PI * 220 * time);
	});

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
