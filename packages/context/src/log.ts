/**
 * Writes one line of JSON to the worker's log.
 * @param event what failed, in upper case: `SANDBOX_FAILED`
 * @param fields identifiers that help to find the work: `request_id`, `job_id`
 */
export function logError(event: string, error: unknown, fields: Record<string, unknown> = {}): void {
	// biome-ignore lint/suspicious/noConsole: the worker's log is its console
	console.error(JSON.stringify({ level: "error", event, ...fields, cause: describeError(error) }));
}

/**
 * Returns an error's text for the log, with its causes. A failed statement keeps its SQL and its reason but not its
 * parameters: those are tenants' data. An error that carries a `detail` is described by its code and that detail.
 */
export function describeError(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if ("detail" in error && "code" in error) return `${error.code}: ${error.detail ?? error.message}`;
	if ("query" in error && error.cause instanceof Error)
		return `${error.cause.message}: ${String(error.query)}`;
	const cause = error.cause === undefined ? "" : `; cause: ${describeError(error.cause)}`;
	return (error.stack ?? `${error.name}: ${error.message}`) + cause;
}
