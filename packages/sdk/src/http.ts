import type { FieldError } from "@parley/contracts/shared/api-error";
import type { ErrorCode } from "@parley/contracts/shared/error-codes";

type Refusal = {
	status: number;
	code?: ErrorCode | undefined;
	fields?: FieldError[] | undefined;
	retryable?: boolean | undefined;
	requestId?: string | undefined;
};

/** A refusal of the service, from either error body. */
export class ParleyError extends Error {
	override readonly name = "ParleyError";
	/** HTTP status. */
	readonly status: number;
	/** Code of the closed list. Undefined on the batch API, and if something between client and service answered. */
	readonly code: ErrorCode | undefined;
	/** Rejected inputs, each with its path and what is wrong. Empty if the refusal names none. */
	readonly fields: readonly FieldError[];
	/** Whether the same request may succeed later. */
	readonly retryable: boolean;
	/** Value of `X-Request-Id`, which the service's logs hold too. */
	readonly requestId: string | undefined;

	constructor(message: string, { status, code, fields, retryable, requestId }: Refusal) {
		super(message);
		this.status = status;
		this.code = code;
		this.fields = fields ?? [];
		this.retryable = retryable ?? isTemporary(status);
		this.requestId = requestId;
	}
}

export type ClientOptions = {
	/** Address of the deployment, such as `https://parley.example`. A path in it is ignored. */
	baseUrl: string;
	apiKey: string;
	/** Sends the requests. Default: `globalThis.fetch`. */
	fetch?: typeof globalThis.fetch;
	/** Whether a request that may be repeated is sent again if the service is not reached. Default: false. */
	retryUnreachable?: boolean;
};

type Query = Record<string, string | number | readonly string[] | undefined>;
export type RequestOptions = {
	query?: Query;
	body?: unknown;
	headers?: Record<string, string>;
	/** Lets a POST be repeated: the service runs it once for each key. */
	idempotencyKey?: string;
	/** Milliseconds within which retries may start. Default: no limit. */
	retryWithinMs?: number;
	signal?: AbortSignal | undefined;
};

export type Http = {
	/** Sends a JSON request. @throws ParleyError when the service refuses it; whatever `fetch` throws when it is not reached. */
	json: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;
	/** Sends a request whose answer is text. @throws ParleyError */
	text: (method: string, path: string, options?: RequestOptions) => Promise<string>;
	/** Sends a request and returns the answer if its status is 2xx or 304. @throws ParleyError */
	send: (method: string, path: string, options?: RequestOptions) => Promise<Response>;
};

const ATTEMPTS = 4;
const REPEATABLE = new Set(["GET", "PUT", "DELETE"]);

/**
 * Creates a client that sends the key. It repeats a request after 429, and one that may be repeated also after 502, 503 and
 * 504, after the time that `Retry-After` names.
 */
export function createHttp({
	baseUrl,
	apiKey,
	fetch = globalThis.fetch,
	retryUnreachable = false,
}: ClientOptions): Http {
	const send = async (
		method: string,
		path: string,
		{ query, body, headers, idempotencyKey, retryWithinMs = Infinity, signal }: RequestOptions = {},
	) => {
		const url = new URL(path, baseUrl);
		for (const [name, value] of Object.entries(query ?? {})) {
			for (const item of [value ?? []].flat()) url.searchParams.append(name, String(item));
		}
		const init = {
			method,
			headers: {
				authorization: `Bearer ${apiKey}`,
				accept: "application/json",
				...(body !== undefined && { "content-type": "application/json" }),
				...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
				...headers,
			},
			signal: signal ?? null,
			...(body !== undefined && { body: JSON.stringify(body) }),
		};
		const isRepeatable = REPEATABLE.has(method) || idempotencyKey !== undefined;
		const retryUntil = Date.now() + retryWithinMs;
		for (let attempt = 1; ; attempt++) {
			const waitAgain = async (waitMs: number): Promise<boolean> => {
				if (attempt === ATTEMPTS || Date.now() + waitMs > retryUntil) return false;
				await sleep(waitMs, signal);
				return true;
			};
			let response: Response;
			try {
				response = await fetch(url, init);
			} catch (error) {
				if (signal?.aborted || !retryUnreachable || !isRepeatable) throw error;
				if (!(await waitAgain(backoffMs(attempt)))) throw error;
				continue;
			}
			if (response.ok || response.status === 304) return response;
			const error = await toError(response);
			const isWorthIt =
				response.status === 429 ||
				(isRepeatable && (response.status > 501 || error.code === "IDEMPOTENCY_IN_PROGRESS"));
			if (!isWorthIt || !(await waitAgain(retryAfterMs(response) ?? backoffMs(attempt)))) throw error;
		}
	};
	return {
		send,
		json: async <T>(method: string, path: string, options?: RequestOptions) => {
			const response = await send(method, path, options);
			return (response.status === 204 ? undefined : await response.json()) as T;
		},
		text: async (method, path, options) => (await send(method, path, options)).text(),
	};
}

const isTemporary = (status: number): boolean => status === 429 || status >= 500;

const backoffMs = (attempt: number): number => 250 * 2 ** attempt;

/** Returns the wait that `Retry-After` asks for, as seconds or as a date. */
function retryAfterMs({ headers }: Response): number | undefined {
	const value = headers.get("retry-after");
	if (value === null) return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
	return ms > 0 ? ms : undefined;
}

/** @throws the signal's reason when it aborts meanwhile. */
const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
	new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, ms);
		if (signal?.aborted) stop();
		else signal?.addEventListener("abort", stop, { once: true });
	});

async function toError(response: Response): Promise<ParleyError> {
	const { status } = response;
	const requestId = response.headers.get("x-request-id") ?? undefined;
	try {
		const { error } = (await response.json()) as { error: string | (Refusal & { message: string }) };
		if (typeof error === "string") return new ParleyError(error, { status, requestId });
		const { message, code, fields, retryable } = error;
		return new ParleyError(String(message), { status, code, fields, retryable, requestId });
	} catch {
		return new ParleyError(`HTTP ${status}`, { status, requestId });
	}
}
