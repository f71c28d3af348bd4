/** A request body. All but a stream can be sent again when a redirect asks for it. */
export type EgressBody =
	| string
	| Uint8Array
	| ArrayBuffer
	| URLSearchParams
	| FormData
	| Blob
	| ReadableStream<Uint8Array>;

export type HopRequest = { url: URL; method: string; headers: Headers; body: EgressBody | undefined };

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CREDENTIAL_HEADERS = ["authorization", "cookie"];
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];

/** Returns the text of `Location` if the response is a redirect. */
export const redirectTarget = (response: Response): string | undefined =>
	REDIRECT_STATUSES.has(response.status) ? (response.headers.get("location") ?? undefined) : undefined;

/**
 * The request that follows a redirect, by the Fetch standard (HTTP-redirect fetch): 303, and 301 or 302 after POST, become
 * GET without a body; another origin gets neither credentials nor the headers named in `secretHeaders`.
 */
export function redirectedRequest(
	request: HopRequest,
	status: number,
	url: URL,
	secretHeaders: readonly string[],
): HopRequest {
	const { method } = request;
	const becomesGet =
		status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
	const headers = new Headers(request.headers);
	const dropped = [
		...(becomesGet ? BODY_HEADERS : []),
		...(url.origin === request.url.origin ? [] : [...CREDENTIAL_HEADERS, ...secretHeaders]),
	];
	for (const name of dropped) headers.delete(name);
	return becomesGet
		? { url, method: "GET", headers, body: undefined }
		: { url, method, headers, body: request.body };
}
