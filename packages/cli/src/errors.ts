import { ParleyError } from "@parley/sdk/http";

/** Runs a command; a failure is one line on standard error and exit status 1, never a stack trace. */
export async function orExplain(command: () => Promise<void>): Promise<void> {
	try {
		await command();
	} catch (error) {
		console.error(`parley: ${explain(error)}`);
		process.exitCode = 1;
	}
}

/** One line for people; a refusal of the service carries its request id. */
export function explain(error: unknown): string {
	if (error instanceof ParleyError)
		return error.message + (error.requestId ? ` (request ${error.requestId})` : "");
	if (!(error instanceof Error)) return String(error);
	// Node's fetch says only "fetch failed" and keeps the reason one level down.
	return error.cause instanceof Error
		? `${error.message}: ${error.cause.message || "no connection"}`
		: error.message;
}
