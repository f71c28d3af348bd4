import { EngineError, type EngineErrorCode } from "../transport/engine-error.ts";

const MESSAGES: Record<EngineErrorCode, string> = {
	engine_unavailable: "The language engine is not available.",
	engine_timeout: "The language engine did not answer in time.",
	engine_rate_limited: "The language engine is over its rate limit.",
	engine_bad_response: "The language engine gave an answer that cannot be used.",
	engine_unauthorized: "The language engine refused the service's credentials.",
	engine_rejected_audio: "The language engine refused the request.",
	engine_rejected_request: "The language engine refused the request.",
};

export function languageError(
	code: EngineErrorCode,
	detail: string,
	extra: { cause?: unknown; retryAfterMs?: number | undefined } = {},
): EngineError {
	return new EngineError(code, MESSAGES[code], { ...extra, detail });
}

/** Calls an engine whose errors speak of audio; they are thrown as errors of a language engine. */
export async function inLanguageTerms<T>(call: Promise<T>): Promise<T> {
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
