import { EngineError } from "@parley/engines/engine-error";

/** One line of the worker's log. Parameters of statements never appear: they are tenants' data. */
export function logError(what: string, error: unknown, ids: Record<string, unknown> = {}): void {
	// biome-ignore lint/suspicious/noConsole: the worker's log is its console
	console.error(JSON.stringify({ level: "error", what, ...ids, cause: describe(error) }));
}

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof EngineError) return `${error.code}: ${error.detail ?? error.message}`;
	if ("query" in error && error.cause instanceof Error)
		return `${error.cause.message}: ${String(error.query)}`;
	const cause = error.cause === undefined ? "" : `; cause: ${describe(error.cause)}`;
	return (error.stack ?? `${error.name}: ${error.message}`) + cause;
}
