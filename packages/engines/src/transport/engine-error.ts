/** Closed list of the ways a call to an engine fails, with whether trying again may help. */
const ENGINE_ERRORS = {
	engine_unavailable: { retryable: true },
	engine_timeout: { retryable: true },
	engine_rate_limited: { retryable: true },
	engine_bad_response: { retryable: true },
	engine_unauthorized: { retryable: false },
	engine_rejected_audio: { retryable: false },
	engine_rejected_request: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type EngineErrorCode = keyof typeof ENGINE_ERRORS;

/** `message` may be shown to the caller; `detail` and `cause` are for the log only. */
export class EngineError extends Error {
	override readonly name = "EngineError";
	readonly code: EngineErrorCode;
	readonly retryable: boolean;
	/** How long the engine asked to be left alone. */
	readonly retryAfterMs: number | undefined;
	readonly detail: string | undefined;

	constructor(
		code: EngineErrorCode,
		message: string,
		extra: { retryAfterMs?: number | undefined; detail?: string | undefined; cause?: unknown } = {},
	) {
		super(message, { cause: extra.cause });
		this.code = code;
		this.retryable = ENGINE_ERRORS[code].retryable;
		this.retryAfterMs = extra.retryAfterMs;
		this.detail = extra.detail;
	}
}

const STATUS_CODES: Record<number, EngineErrorCode> = {
	400: "engine_rejected_audio",
	401: "engine_unauthorized",
	403: "engine_unauthorized",
	408: "engine_timeout",
	409: "engine_unavailable",
	413: "engine_rejected_audio",
	415: "engine_rejected_audio",
	422: "engine_rejected_audio",
	425: "engine_unavailable",
	429: "engine_rate_limited",
	504: "engine_timeout",
};

const MESSAGES: Record<EngineErrorCode, string> = {
	engine_unavailable: "The speech engine is not available.",
	engine_timeout: "The speech engine did not answer in time.",
	engine_rate_limited: "The speech engine is over its rate limit.",
	engine_bad_response: "The speech engine gave an answer that cannot be read.",
	engine_unauthorized: "The speech engine refused the service's credentials.",
	engine_rejected_audio: "The speech engine refused the audio.",
	engine_rejected_request: "The speech engine refused the request.",
};

/**
 * The error for an answer of `status`: 408, 409, 425, 429 and 5xx may be tried again, other statuses are final. What the
 * engine said is shown only where it is about the caller's audio.
 */
export function errorOfStatus(
	status: number,
	said: string,
	extra: { retryAfterMs?: number | undefined } = {},
): EngineError {
	const code = STATUS_CODES[status] ?? (status >= 500 ? "engine_unavailable" : "engine_rejected_request");
	const shown =
		code === "engine_rejected_audio" && said ? `${MESSAGES[code]} It said: ${said}` : MESSAGES[code];
	return new EngineError(code, shown, { ...extra, detail: `HTTP ${status}: ${said}` });
}

/** An error of a given kind with its usual public sentence. */
export function engineError(
	code: EngineErrorCode,
	detail: string,
	extra: { cause?: unknown; retryAfterMs?: number } = {},
): EngineError {
	return new EngineError(code, MESSAGES[code], { ...extra, detail });
}
