import { ApiError } from "@parley/contracts/api-error";
import type { Plane } from "./plane.ts";

/**
 * The one exit for errors of a plane. A code of the plane's table is answered as it stands; everything else is logged
 * and answered with a fixed sentence.
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

/** One line in the log for a fault of ours, under the request id that the caller was told. */
export function logFault(plane: Plane, code: string, cause: unknown, requestId: string): void {
	const line = { level: "error", plane: plane.name, request_id: requestId, code, cause: describe(cause) };
	// biome-ignore lint/suspicious/noConsole: the worker's log is its console
	console.error(JSON.stringify(line));
}

/** An error's text for the log. A failed statement keeps its SQL and its reason, but not its parameters: they are tenants' data. */
export function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if ("query" in error && error.cause instanceof Error)
		return `${error.cause.message}: ${String(error.query)}`;
	return error.stack ?? `${error.name}: ${error.message}`;
}
