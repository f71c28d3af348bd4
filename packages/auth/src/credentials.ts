/** The key in `Authorization: Bearer <key>`; the scheme is case-insensitive (RFC 9110 section 11.1). */
export function bearerKey(headers: Headers): string | undefined {
	return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** The key of a batch request: the bearer header, or the equivalent `X-API-Key`. Two that differ are no key at all. */
export function batchKey(headers: Headers): string | undefined {
	const bearer = bearerKey(headers);
	const header = headers.get("x-api-key")?.trim() || undefined;
	if (headers.has("authorization") && header !== undefined && bearer !== header) return undefined;
	return bearer ?? header;
}
