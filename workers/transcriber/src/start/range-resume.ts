/** What a host said of a file when it began to send it. */
export type Source = {
	/** Of the bytes as they are sent; null where the host does not say or the body arrives decoded. */
	totalBytes: number | null;
	/** Names this version of the file for `If-Range`; null where there is none that can be relied on. */
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

/** Whether a broken transfer can be carried on. Without a length a body may be a decoded one, whose bytes are not the file's. */
export const isResumable = (source: Source): boolean =>
	source.validator !== null && source.totalBytes !== null;

/**
 * A strong ETag, or a date of modification that lies a second before the answer's own: only then can the file not have
 * changed again within that second (RFC 9110, sections 8.8.2.2 and 13.1.5).
 */
function validatorOf(headers: Headers): string | null {
	if (headers.get("accept-ranges")?.trim().toLowerCase() === "none") return null;
	const etag = headers.get("etag")?.trim();
	if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : null;
	const modified = headers.get("last-modified")?.trim() ?? "";
	const isOld = Date.parse(headers.get("date") ?? "") - Date.parse(modified) >= 1000;
	return isOld ? modified : null;
}

/** The headers that ask for the rest of a file, if it is still the same. */
export const rangeHeaders = (source: Source, offset: number): Record<string, string> => ({
	range: `bytes=${offset}-`,
	"if-range": source.validator ?? "",
});

/**
 * Whether an answer is that rest: of this version, from this byte on and up to the end. A host that keeps its ETag to itself
 * when it sends a part (RFC 9110, section 15.3.7, has it sent) may not have looked at ours either.
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
