import { EngineError, type EngineErrorCode } from "../transport/engine-error.ts";

const MESSAGES: Record<EngineErrorCode, string> = {
	engine_unavailable: "The language engine is not available.",
	engine_timeout: "The language engine did not respond in time.",
	engine_rate_limited: "The language engine reports that its rate limit is exceeded.",
	engine_bad_response: "The language engine returned an invalid response.",
	engine_unauthorized: "The language engine rejected the deployment's credentials.",
	engine_rejected_audio: "The language engine rejected the request.",
	engine_rejected_request: "The language engine rejected the request.",
};

/** Creates an error with the public message of its code. */
export function languageError(
	code: EngineErrorCode,
	detail: string,
	extra: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): EngineError {
	return new EngineError(code, MESSAGES[code], { ...extra, detail });
}

/** Awaits a call whose errors are those of a speech engine, and throws them as errors of a language engine. */
export async function withLanguageErrors<T>(call: Promise<T>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		if (!(error instanceof EngineError)) throw error;
		const code = error.code === "engine_rejected_audio" ? "engine_rejected_request" : error.code;
		throw languageError(code, error.detail ?? error.message, {
			cause: error,
			retryAfterMs: error.retryAfterMs,
		});
	}
}
