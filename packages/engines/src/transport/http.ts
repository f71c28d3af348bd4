import { withDeadline } from "./deadline.ts";
import { EngineError, engineError, errorOfStatus } from "./engine-error.ts";

export type EngineFetch = (request: Request) => Promise<Response>;

export type CallLimits = {
	deadlineMs: number;
	maxResponseBytes: number;
	/** The caller's own abort. */
	signal?: AbortSignal | undefined;
	/** Values that must not appear in any error text. */
	secrets?: readonly string[];
	now?: () => number;
};

/** Longest wait that an engine may ask for; beyond it the job's own retry plan decides. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const SAID_CHARACTERS = 200;
/** Behind so much nothing is looked for. */
const READ_CHARACTERS = 8 * 1024;

/**
 * One JSON exchange with an engine: the deadline covers the whole answer, which is read up to `maxResponseBytes`.
 * Redirects are not followed, since the request carries a key. Throws EngineError, or the reason of the caller's abort.
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
	const said = () => whatItSaid(text, limits.secrets);
	if (!response.ok) {
		throw errorOfStatus(response.status, said(), {
			retryAfterMs: retryAfterMs(response.headers, limits.now ?? Date.now),
		});
	}
	try {
		return JSON.parse(text);
	} catch {
		throw engineError("engine_bad_response", `not JSON: ${said()}`);
	}
}

/**
 * An exchange whose answer is a stream, such as audio. The deadline covers the stream too. Throws EngineError, or the reason
 * of the caller's abort, as long as no byte has been handed on.
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
	const said = whatItSaid(await readCapped(response, limits.maxResponseBytes), limits.secrets);
	if (response.ok) throw engineError("engine_bad_response", "an empty answer");
	throw errorOfStatus(response.status, said, {
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
		if (size > maxBytes) throw engineError("engine_bad_response", `answer over ${maxBytes} bytes`);
		text += decoder.decode(piece, { stream: true });
	}
	return text + decoder.decode();
}

/**
 * The engine's own words, from the usual error shapes or the start of the body, on one line. Secrets go first: nothing
 * recognises a part of one at a cut.
 */
function whatItSaid(answer: string, secrets: readonly string[] | undefined): string {
	const beginning = (words: string) => scrub(words, secrets).slice(0, READ_CHARACTERS);
	const text = beginning(answer);
	let said = text;
	try {
		said = beginning(errorText(JSON.parse(answer)) ?? answer);
	} catch {
		const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
		said = title ?? text.replace(/<[^>]*>/g, " ");
	}
	return said.replace(/\s+/g, " ").trim().slice(0, SAID_CHARACTERS);
}

/** Text of `{error: "…"}`, `{error: {message}}`, `{detail}`, `{message}`; undefined when it is none of these. */
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

/** `Retry-After` in seconds or as a date, or the finer `retry-after-ms`; undefined when absent or unreadable. */
export function retryAfterMs(headers: Headers, now: () => number): number | undefined {
	const finer = Number(headers.get("retry-after-ms") ?? Number.NaN);
	const plain = headers.get("retry-after") ?? "";
	const seconds = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) * 1000 : Date.parse(plain) - now();
	const wait = Number.isFinite(finer) ? finer : seconds;
	return Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), MAX_RETRY_AFTER_MS) : undefined;
}
