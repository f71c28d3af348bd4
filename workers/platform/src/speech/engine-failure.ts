import { ApiError } from "@parley/contracts/shared/api-error";
import { EngineError } from "@parley/engines/transport/engine-error";

/** What the caller is told of an engine's failure; anything that is none is left as it is. */
export function toApiError(error: unknown): unknown {
	if (!(error instanceof EngineError)) return error;
	const { code, message, retryAfterMs } = error;
	if (code === "engine_rejected_audio") return new ApiError("VALIDATION_FAILED", message);
	const headers: Record<string, string> = retryAfterMs
		? { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }
		: {};
	return new ApiError("ENGINE_FAILED", message, { headers, cause: error.detail ?? error });
}
