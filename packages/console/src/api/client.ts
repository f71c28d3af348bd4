import type { BuiltRequest } from "./built-request.ts";
import { ApiFailure, ConnectionFailure } from "./failures.ts";

/** An operation as the API reference writes it: `GET /v1/batch/jobs/{job_id}`. A test looks each one up there. */
export type Operation = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /v1/${string}`;

type Value = string | number | boolean | readonly string[] | null | undefined;

export type CallOptions = {
	/** Values of the path's parameters. */
	params?: Record<string, string>;
	/** Query parameters. Absent and empty ones are left out. */
	query?: Record<string, Value>;
	body?: unknown;
	headers?: Record<string, string>;
	signal?: AbortSignal;
	/** Whether the body holds a secret, which "copy as curl" must not show. */
	isSecret?: boolean;
	/** Whether a 401 is the caller's business. Otherwise the user is asked to sign in again and the call is repeated. */
	handles401?: boolean;
};

const MAX_WAIT_S = 10;
const ATTEMPTS = 3;

let signInAgain: (() => Promise<void>) | undefined;

/** Sets what asks the user to sign in when a session has expired. It resolves once there is a session again. */
export function onSessionExpired(ask: () => Promise<void>): void {
	signInAgain = ask;
}

/** Calls an operation of the API. @throws ApiFailure for an answer that is no success, ConnectionFailure for none at all. */
export async function call<T>(operation: Operation, options: CallOptions = {}): Promise<T> {
	const response = await send(operation, options);
	return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Calls an operation and returns its answer with the ETag for a later `If-Match`. */
export async function callWithEtag<T>(
	operation: Operation,
	options: CallOptions = {},
): Promise<{ data: T; etag: string | undefined }> {
	const response = await send(operation, options);
	return { data: (await response.json()) as T, etag: response.headers.get("etag") ?? undefined };
}

/** Calls an operation that lists and returns its items with their number on all pages, which is exact up to 10,000. */
export async function callList<T>(
	operation: Operation,
	options: CallOptions = {},
): Promise<{ items: T[]; total: number }> {
	const response = await send(operation, options);
	const items = (await response.json()) as T[];
	return { items, total: Number.parseInt(response.headers.get("x-total-count") ?? "", 10) || items.length };
}

/** Calls an operation and returns the response, whose status is a success. */
export async function send(operation: Operation, options: CallOptions = {}): Promise<Response> {
	const request = buildRequest(operation, options);
	for (let attempt = 1; ; attempt++) {
		const response = await fetch(request.url, { ...request.init, signal: options.signal ?? null }).catch(
			(cause) => {
				if (options.signal?.aborted) throw cause;
				throw new ConnectionFailure(request, cause);
			},
		);
		if (response.ok) return response;
		if (response.status === 401 && !options.handles401 && signInAgain) {
			await signInAgain();
			continue;
		}
		const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
		if (response.status === 429 && wait <= MAX_WAIT_S && attempt < ATTEMPTS) {
			await new Promise((done) => setTimeout(done, wait * 1000));
			continue;
		}
		throw await ApiFailure.of(response, request);
	}
}

function buildRequest(
	operation: Operation,
	{ params = {}, query, body, headers, isSecret }: CallOptions,
): BuiltRequest {
	const [method = "", template = ""] = operation.split(" ");
	const path = template.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) =>
		encodeURIComponent(params[name] ?? ""),
	);
	return {
		url: path + toQuery(query),
		init: {
			method,
			headers: {
				accept: "application/json",
				"x-parley-console": "1",
				...(body !== undefined && { "content-type": "application/json" }),
				...headers,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		},
		isSecret: isSecret ?? false,
	};
}

function toQuery(query: CallOptions["query"] = {}): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined || value === null || value === "") continue;
		for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
	}
	const text = search.toString();
	return text ? `?${text}` : "";
}
