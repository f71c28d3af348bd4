import { countSha256, sha256Of } from "./sha256.ts";

/** Size of a part. All parts of a multipart upload but the last must be equal. */
const PART_BYTES = 8 * 1024 * 1024;

export type StoredObject = { key: string; etag: string; size: number; sha256: string | null };

/** Multipart upload in progress, as another writer needs it to resume. */
export type Begun = { multipartId: string; parts: R2UploadedPart[] };

/** Writer of an object whose length is not known in advance. */
export type ObjectWriter = {
	key: string;
	/** Returns the bytes written so far. */
	size: () => number;
	write: (bytes: Uint8Array) => Promise<void>;
	finish: () => Promise<StoredObject>;
	/** Returns the multipart upload that another writer can resume; undefined while all bytes are in memory. */
	begun: () => Begun | undefined;
	/** Aborts the upload and removes its parts. */
	abandon: () => Promise<void>;
};

type Options = {
	httpMetadata?: R2HTTPMetadata;
	/** Upload to resume. */
	begun?: Begun | undefined;
	/** Called when the multipart upload has begun and after each part. */
	onPart?: (begun: Begun) => Promise<void>;
	/**
	 * Inspects the object's first bytes, at least `HEAD_BYTES` or all, before any is stored. Throws to refuse the object. Not called
	 * for a resumed upload, whose first bytes have passed.
	 */
	inspect?: (head: Uint8Array, isWhole: boolean) => Promise<void>;
};

/** Minimum number of bytes that `inspect` gets of a longer object. */
export const HEAD_BYTES = 512 * 1024;

/** Creates a writer that keeps one part in memory. An object that fits into one part becomes a plain PUT. */
export function createObjectWriter(bucket: R2Bucket, key: string, options: Options = {}): ObjectWriter {
	const { httpMetadata = {}, onPart = async () => undefined, inspect = async () => undefined } = options;
	const parts = [...(options.begun?.parts ?? [])];
	let upload = options.begun && bucket.resumeMultipartUpload(key, options.begun.multipartId);
	const part = new Uint8Array(PART_BYTES);
	let filled = 0;
	let isInspected = options.begun !== undefined;
	// Parts of another writer can be read and hashed only after the upload is complete.
	const digest = options.begun ? undefined : countSha256();

	const begun = () => upload && { multipartId: upload.uploadId, parts };
	const isBegun = async () => {
		const known = begun();
		if (known) await onPart(known);
	};

	async function inspectOnce(isWhole: boolean): Promise<void> {
		if (isInspected || !(isWhole || filled >= HEAD_BYTES)) return;
		isInspected = true;
		await inspect(part.subarray(0, filled), isWhole);
	}

	async function storePart(target: R2MultipartUpload): Promise<void> {
		const bytes = part.subarray(0, filled);
		await digest?.add(bytes);
		parts.push(await target.uploadPart(parts.length + 1, bytes));
		filled = 0;
	}

	return {
		key,
		begun,
		size: () => parts.length * PART_BYTES + filled,
		async write(bytes) {
			for (let at = 0; at < bytes.byteLength; ) {
				// A full part is sent only when more bytes follow, so that the last part is known.
				if (filled === PART_BYTES) {
					if (!upload) {
						upload = await bucket.createMultipartUpload(key, { httpMetadata });
						await isBegun();
					}
					await storePart(upload);
					await isBegun();
				}
				const piece = bytes.subarray(at, at + PART_BYTES - filled);
				part.set(piece, filled);
				filled += piece.byteLength;
				at += piece.byteLength;
				await inspectOnce(false);
			}
		},
		async finish() {
			await inspectOnce(true);
			let object: R2Object;
			if (upload) {
				await storePart(upload);
				object = await upload.complete(parts);
			} else {
				const bytes = part.subarray(0, filled);
				await digest?.add(bytes);
				object = await bucket.put(key, bytes, { httpMetadata });
			}
			const sha256 = digest ? await digest.end() : await sha256Of(bucket, object);
			return { key, etag: object.etag, size: object.size, sha256: sha256 ?? null };
		},
		async abandon() {
			await upload?.abort().catch(() => undefined);
			upload = undefined;
		},
	};
}
