import { countSha256, sha256Of } from "./sha256.ts";

/** Parts of a multipart upload have to be equal but for the last. */
const PART_BYTES = 8 * 1024 * 1024;

export type StoredObject = { key: string; etag: string; size: number; sha256: string | null };

/** A multipart upload that was begun: whoever knows it can carry it on. */
export type Begun = { multipartId: string; parts: R2UploadedPart[] };

/** An object in the making, of a length that nobody needs to know before. */
export type ObjectWriter = {
	key: string;
	/** Bytes taken so far. */
	size: () => number;
	write: (bytes: Uint8Array) => Promise<void>;
	finish: () => Promise<StoredObject>;
	/** What is stored of it, to be carried on by another writer; undefined while all is in memory. */
	begun: () => Begun | undefined;
	/** Ends it; nothing is left of it. */
	abandon: () => Promise<void>;
};

type Options = {
	httpMetadata?: R2HTTPMetadata;
	/** Carried on after these parts. */
	begun?: Begun | undefined;
	/** Called when the multipart upload has begun and after each part. */
	onPart?: (begun: Begun) => Promise<void>;
	/**
	 * Inspects the object's first bytes before any of them is stored, at least `HEAD_BYTES` or all there are, and throws to
	 * refuse the object. Not called for an object that is carried on: its first bytes have passed.
	 */
	inspect?: (head: Uint8Array, isWhole: boolean) => Promise<void>;
};

/** Bytes that `inspect` gets, or more. */
export const HEAD_BYTES = 512 * 1024;

/** Writes an object, holding one part in memory; what fits into one part becomes a plain put. */
export function createObjectWriter(bucket: R2Bucket, key: string, options: Options = {}): ObjectWriter {
	const { httpMetadata = {}, onPart = async () => undefined, inspect = async () => undefined } = options;
	const parts = [...(options.begun?.parts ?? [])];
	let upload = options.begun && bucket.resumeMultipartUpload(key, options.begun.multipartId);
	const part = new Uint8Array(PART_BYTES);
	let filled = 0;
	let isInspected = options.begun !== undefined;
	// The parts of another writer can be read, and counted, only when they have become an object.
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
				// A full part goes out only when more follows, so that the last one is known for what it is.
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
