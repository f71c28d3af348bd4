import { logError } from "@parley/context/log";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Plane } from "./planes/plane.ts";

/**
 * Turns an error into a plane's answer; the only place that does. An ApiError with a code of the plane's table is answered as
 * thrown, with the table's status. Its cause is logged if it has one. Any other error is logged and answered as INTERNAL_ERROR.
 */
export function toErrorResponse(plane: Plane, error: unknown, requestId: string): Response {
	const known = error instanceof ApiError && plane.errors[error.code] ? error : internalError(error);
	const rule = plane.errors[known.code] ?? { status: 500, retryable: true };
	if (known.cause !== undefined) logFault(plane, known.code, known.cause, requestId);
	const headers = new Headers({ ...known.headers, "content-type": "application/json" });
	if (rule.status === 401) headers.set("www-authenticate", "Bearer");
	return new Response(JSON.stringify(plane.render(known, rule, requestId)), { status: rule.status, headers });
}

const internalError = (cause: unknown) => new ApiError("INTERNAL_ERROR", "Internal server error", { cause });

/** Logs a fault of ours under the request id that the caller was given. */
export const logFault = (plane: Plane, code: string, cause: unknown, requestId: string): void =>
	logError(code, cause, { plane: plane.name, request_id: requestId });
