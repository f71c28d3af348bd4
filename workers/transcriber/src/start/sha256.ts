/** Computes SHA-256 over a stream of bytes without keeping them. */
export function countSha256(): { add: (bytes: Uint8Array) => Promise<void>; end: () => Promise<string> } {
	const stream = new crypto.DigestStream("SHA-256");
	const writer = stream.getWriter();
	return {
		add: (bytes) => writer.write(bytes),
		async end() {
			await writer.close();
			return hexOf(await stream.digest);
		},
	};
}

/** Returns the SHA-256 of one version of a stored object in lower-case hex, or undefined if that version does not exist. */
export async function sha256Of(
	bucket: R2Bucket,
	{ key, etag }: { key: string; etag: string },
	signal?: AbortSignal,
): Promise<string | undefined> {
	const object = await bucket.get(key, { onlyIf: { etagMatches: etag } });
	if (!object || !("body" in object)) return undefined;
	const stream = new crypto.DigestStream("SHA-256");
	await object.body.pipeTo(stream, signal && { signal });
	return hexOf(await stream.digest);
}

const hexOf = (digest: ArrayBuffer): string => Buffer.from(digest).toString("hex");
