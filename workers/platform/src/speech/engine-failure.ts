import { ApiError } from "@parley/contracts/shared/api-error";
import { EngineError } from "@parley/engines/transport/engine-error";

/** Converts an engine's failure into the caller's error. Returns other errors unchanged. */
export function toApiError(error: unknown): unknown {
	if (!(error instanceof EngineError)) return error;
	const { code, message, retryAfterMs } = error;
	if (code === "engine_rejected_audio") return new ApiError("VALIDATION_FAILED", message);
	const headers: Record<string, string> = retryAfterMs
		? { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }
		: {};
	return new ApiError("ENGINE_FAILED", message, { headers, cause: error.detail ?? error });
}
