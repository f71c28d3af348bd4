/** Closed list of the errors of an engine call, and whether a retry may help. */
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

/** A failed call to an engine. `message` is public; `detail` and `cause` are for the log only. */
export class EngineError extends Error {
	override readonly name = "EngineError";
	readonly code: EngineErrorCode;
	readonly retryable: boolean;
	/** Time that the engine asked to wait before a retry. */
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
	engine_timeout: "The speech engine did not respond in time.",
	engine_rate_limited: "The speech engine reports that its rate limit is exceeded.",
	engine_bad_response: "The speech engine returned an invalid response.",
	engine_unauthorized: "The speech engine rejected the deployment's credentials.",
	engine_rejected_audio: "The speech engine rejected the audio.",
	engine_rejected_request: "The speech engine rejected the request.",
};

/**
 * Creates the error for an HTTP status. 408, 409, 425, 429 and 5xx are retryable, other statuses are final. The engine's own message is
 * public only if it is about the caller's audio.
 */
export function errorFromStatus(
	status: number,
	reason: string,
	extra: { retryAfterMs?: number | undefined } = {},
): EngineError {
	const code = STATUS_CODES[status] ?? (status >= 500 ? "engine_unavailable" : "engine_rejected_request");
	const isPublic = code === "engine_rejected_audio" && reason !== "";
	const message = isPublic ? `${MESSAGES[code]} Its reason: ${reason}` : MESSAGES[code];
	return new EngineError(code, message, { ...extra, detail: `HTTP ${status}: ${reason}` });
}

/** Creates an error with the public message of its code. */
export function engineError(
	code: EngineErrorCode,
	detail: string,
	extra: { cause?: unknown; retryAfterMs?: number } = {},
): EngineError {
	return new EngineError(code, MESSAGES[code], { ...extra, detail });
}
