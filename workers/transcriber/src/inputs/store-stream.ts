/** Parts of a multipart upload have to be equal but for the last. */
const PART_BYTES = 8 * 1024 * 1024;

export type StoredObject = { key: string; etag: string; size: number };

/**
 * Stores a stream of unknown length, holding one part in memory; what fits into one part becomes a plain put. Nothing is
 * stored when the stream fails.
 */
export async function storeStream(
	bucket: R2Bucket,
	key: string,
	stream: ReadableStream<Uint8Array>,
	httpMetadata: R2HTTPMetadata = {},
): Promise<StoredObject> {
	let upload: R2MultipartUpload | undefined;
	try {
		const parts: R2UploadedPart[] = [];
		for await (const { bytes, isLast } of inParts(stream, PART_BYTES)) {
			if (isLast && !upload) return toStored(await bucket.put(key, bytes, { httpMetadata }));
			upload ??= await bucket.createMultipartUpload(key, { httpMetadata });
			parts.push(await upload.uploadPart(parts.length + 1, bytes));
		}
		if (!upload) throw new TypeError("A stream has at least one part");
		return toStored(await upload.complete(parts));
	} catch (error) {
		await upload?.abort().catch(() => undefined);
		throw error;
	}
}

const toStored = ({ key, etag, size }: R2Object): StoredObject => ({ key, etag, size });

/** Pieces of exactly `size` bytes, the last one shorter, or empty when the stream is. */
async function* inParts(
	stream: ReadableStream<Uint8Array>,
	size: number,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
	let part = new Uint8Array(size);
	let filled = 0;
	for await (const chunk of stream) {
		for (let at = 0; at < chunk.byteLength; ) {
			// A full part goes out only when more follows, so that the last one is known for what it is.
			if (filled === size) {
				yield { bytes: part, isLast: false };
				part = new Uint8Array(size);
				filled = 0;
			}
			const piece = chunk.subarray(at, at + size - filled);
			part.set(piece, filled);
			filled += piece.byteLength;
			at += piece.byteLength;
		}
	}
	yield { bytes: part.subarray(0, filled), isLast: true };
}
