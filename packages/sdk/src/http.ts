/** A refusal of the service, from either error body. */
export class ParleyError extends Error {
	override readonly name = "ParleyError";
	readonly status: number;
	/** The closed code of the agents plane and the platform host; undefined on the batch API. */
	readonly code: string | undefined;
	readonly requestId: string | undefined;

	constructor(message: string, status: number, code?: string, requestId?: string) {
		super(message);
		this.status = status;
		this.code = code;
		this.requestId = requestId;
	}
}

export type ClientOptions = { baseUrl: string; apiKey: string; fetch?: typeof globalThis.fetch };

type Query = Record<string, string | number | readonly string[] | undefined>;
type RequestOptions = { query?: Query; body?: unknown; signal?: AbortSignal | undefined };

export type Http = {
	/** A JSON request. @throws ParleyError when the service refuses it; whatever `fetch` throws when it is not reached. */
	json: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;
	/** A request whose answer is text. @throws ParleyError */
	text: (method: string, path: string, options?: RequestOptions) => Promise<string>;
};

const TRIES = 4;
const REPEATABLE = new Set(["GET", "PUT", "DELETE"]);

/** Requests with the key set; those that may be repeated are, on 429, 502, 503 and 504, after the time that the service names. */
export function createHttp({ baseUrl, apiKey, fetch = globalThis.fetch }: ClientOptions): Http {
	const send = async (method: string, path: string, { query, body, signal }: RequestOptions = {}) => {
		const url = new URL(path, baseUrl);
		for (const [name, value] of Object.entries(query ?? {})) {
			for (const item of [value ?? []].flat()) url.searchParams.append(name, String(item));
		}
		const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, accept: "application/json" };
		if (body !== undefined) headers["content-type"] = "application/json";
		const init = {
			method,
			headers,
			signal: signal ?? null,
			...(body !== undefined && { body: JSON.stringify(body) }),
		};
		for (let attempt = 1; ; attempt++) {
			const response = await fetch(url, init);
			if (response.ok) return response;
			const passing = response.status === 429 || (response.status > 501 && REPEATABLE.has(method));
			if (!passing || attempt === TRIES) throw await toError(response);
			await response.body?.cancel();
			await new Promise((done) => setTimeout(done, retryAfterMs(response, attempt)));
		}
	};
	return {
		json: async <T>(method: string, path: string, options?: RequestOptions) => {
			const response = await send(method, path, options);
			return (response.status === 204 ? undefined : await response.json()) as T;
		},
		text: async (method, path, options) => (await send(method, path, options)).text(),
	};
}

const retryAfterMs = (response: Response, attempt: number): number => {
	const seconds = Number(response.headers.get("retry-after"));
	return seconds > 0 ? seconds * 1000 : 250 * 2 ** attempt;
};

async function toError(response: Response): Promise<ParleyError> {
	const text = await response.text();
	const requestId = response.headers.get("x-request-id") ?? undefined;
	try {
		const { error } = JSON.parse(text);
		if (typeof error === "string") return new ParleyError(error, response.status, undefined, requestId);
		return new ParleyError(String(error.message), response.status, error.code, requestId);
	} catch {
		return new ParleyError(`HTTP ${response.status}`, response.status, undefined, requestId);
	}
}
