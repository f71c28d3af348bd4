/** Properties of a file from the headers of its host's first response. */
export type Source = {
	/** Length of the body as sent; null when the host does not announce it or the body arrives decoded. */
	totalBytes: number | null;
	/** Value for `If-Range`; null when the host gives no reliable one. */
	validator: string | null;
	contentType: string;
};

export function sourceOf({ headers }: Response): Source {
	const length = headers.get("content-length");
	const totalBytes = length !== null && /^\d+$/.test(length) ? Number(length) : null;
	return {
		totalBytes,
		validator: validatorOf(headers),
		contentType: headers.get("content-type") ?? "application/octet-stream",
	};
}

/** Tells whether a broken transfer can be resumed. A body without a length may be decoded, so that its offsets are not the file's. */
export const isResumable = (source: Source): boolean =>
	source.validator !== null && source.totalBytes !== null;

/**
 * Returns a strong ETag, or a modification date at least a second older than the response. A younger one may hide a second change
 * (RFC 9110, sections 8.8.2.2 and 13.1.5).
 */
function validatorOf(headers: Headers): string | null {
	if (headers.get("accept-ranges")?.trim().toLowerCase() === "none") return null;
	const etag = headers.get("etag")?.trim();
	if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : null;
	const modified = headers.get("last-modified")?.trim() ?? "";
	const isOld = Date.parse(headers.get("date") ?? "") - Date.parse(modified) >= 1000;
	return isOld ? modified : null;
}

/** Returns the headers that request the rest of a file on the condition that it has not changed. */
export const rangeHeaders = (source: Source, offset: number): Record<string, string> => ({
	range: `bytes=${offset}-`,
	"if-range": source.validator ?? "",
});

/**
 * Tells whether a response is the rest of this version, from this byte to the end. A host that omits its ETag from a part, against
 * RFC 9110, section 15.3.7, may not have compared ours either.
 */
export function isTheRest({ status, headers }: Response, source: Source, offset: number): boolean {
	const total = source.totalBytes ?? 0;
	const { validator } = source;
	const isSame = validator?.startsWith('"')
		? headers.get("etag") === validator
		: (headers.get("last-modified") ?? validator) === validator;
	return (
		status === 206 &&
		isSame &&
		!headers.get("content-type")?.toLowerCase().startsWith("multipart/byteranges") &&
		headers.get("content-range") === `bytes ${offset}-${total - 1}/${total}` &&
		headers.get("content-length") === String(total - offset)
	);
}
