const WELL_FORMED = /^[A-Za-z0-9_.:-]{8,128}$/;

/** The id of a request: the caller's `x-request-id` when it is well formed, else a new one. */
export function requestIdOf(headers: Headers): string {
	const given = headers.get("x-request-id");
	return given !== null && WELL_FORMED.test(given) ? given : crypto.randomUUID();
}
