import { withDeadline } from "./deadline.ts";
import { EngineError, engineError, errorFromStatus } from "./engine-error.ts";

export type EngineFetch = (request: Request) => Promise<Response>;

export type CallLimits = {
	deadlineMs: number;
	maxResponseBytes: number;
	/** Abort signal of the caller. */
	signal?: AbortSignal | undefined;
	/** Values to remove from error texts. */
	secrets?: readonly string[];
	now?: () => number;
};

/** Maximum wait that an engine may ask for. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;
/** Maximum length of the engine's message in an error. */
const MAX_MESSAGE_CHARACTERS = 200;
/** Part of a response that is searched for a message. */
const MAX_SEARCHED_CHARACTERS = 8 * 1024;

/**
 * Sends a request and returns the JSON of the response, up to `maxResponseBytes`. The deadline covers the whole response. Does not follow
 * redirects, because the request may contain a key.
 * @throws EngineError, or the reason of the caller's abort.
 */
export async function callJson(fetch: EngineFetch, request: Request, limits: CallLimits): Promise<unknown> {
	const { response, text } = await withDeadline(async (signal) => {
		try {
			const response = await fetch(new Request(request, { signal, redirect: "manual" }));
			return { response, text: await readCapped(response, limits.maxResponseBytes) };
		} catch (error) {
			if (error instanceof EngineError) throw error;
			throw engineError("engine_unavailable", scrub(String(error), limits.secrets), { cause: error });
		}
	}, limits);
	const reason = () => readMessage(text, limits.secrets);
	if (!response.ok) {
		throw errorFromStatus(response.status, reason(), {
			retryAfterMs: retryAfterMs(response.headers, limits.now ?? Date.now),
		});
	}
	try {
		return JSON.parse(text);
	} catch {
		throw engineError("engine_bad_response", `not JSON: ${reason()}`);
	}
}

/**
 * Sends a request and returns the response, whose body is a stream such as audio. The deadline covers the stream too.
 * @throws EngineError, or the reason of the caller's abort, before the first byte.
 */
export async function callStream(
	fetch: EngineFetch,
	request: Request,
	limits: CallLimits,
): Promise<Response> {
	const response = await withDeadline(async (signal) => {
		try {
			return await fetch(new Request(request, { signal, redirect: "manual" }));
		} catch (error) {
			throw engineError("engine_unavailable", scrub(String(error), limits.secrets), { cause: error });
		}
	}, limits);
	if (response.ok && response.body) return response;
	const reason = readMessage(await readCapped(response, limits.maxResponseBytes), limits.secrets);
	if (response.ok) throw engineError("engine_bad_response", "an empty response");
	throw errorFromStatus(response.status, reason, {
		retryAfterMs: retryAfterMs(response.headers, limits.now ?? Date.now),
	});
}

async function readCapped(response: Response, maxBytes: number): Promise<string> {
	if (!response.body) return "";
	const decoder = new TextDecoder();
	let text = "";
	let size = 0;
	for await (const piece of response.body) {
		size += piece.byteLength;
		if (size > maxBytes) throw engineError("engine_bad_response", `the response exceeds ${maxBytes} bytes`);
		text += decoder.decode(piece, { stream: true });
	}
	return text + decoder.decode();
}

/**
 * Reads the engine's message from the usual error shapes or the start of the body, as one line. Removes secrets first: a secret that was cut
 * in two would not be recognised.
 */
function readMessage(body: string, secrets: readonly string[] | undefined): string {
	const beginning = (part: string) => scrub(part, secrets).slice(0, MAX_SEARCHED_CHARACTERS);
	const text = beginning(body);
	let message = text;
	try {
		message = beginning(errorText(JSON.parse(body)) ?? body);
	} catch {
		const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
		message = title ?? text.replace(/<[^>]*>/g, " ");
	}
	return message.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_CHARACTERS);
}

/** Returns the text of `{error: "…"}`, `{error: {message}}`, `{detail}` or `{message}`, or undefined for another value. */
export function errorText(body: unknown): string | undefined {
	if (typeof body === "string") return body;
	if (Array.isArray(body)) return errorText(body[0]);
	if (typeof body !== "object" || body === null) return undefined;
	for (const key of ["error", "detail", "message", "msg"]) {
		const found = key in body ? errorText((body as Record<string, unknown>)[key]) : undefined;
		if (found) return found;
	}
	return undefined;
}

function scrub(text: string, secrets: readonly string[] = []): string {
	return secrets.reduce((clean, secret) => (secret ? clean.replaceAll(secret, "[secret]") : clean), text);
}

/** Reads `retry-after-ms`, or `Retry-After` in seconds or as a date. Returns undefined if neither is there or readable. */
export function retryAfterMs(headers: Headers, now: () => number): number | undefined {
	const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
	const value = headers.get("retry-after") ?? "";
	const fallback = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now();
	const wait = Number.isFinite(milliseconds) ? milliseconds : fallback;
	return Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), MAX_RETRY_AFTER_MS) : undefined;
}
