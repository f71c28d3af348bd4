import { ParleyError } from "@parley/sdk/http";
import { UnreachableError } from "./reachable-fetch.ts";

/** Exit statuses of the command. `docs/reference/cli.md` lists them. */
export const EXIT = {
	failed: 1,
	usage: 2,
	notFound: 3,
	refused: 4,
	unreachable: 5,
	interrupted: 130,
} as const;

/** A mistake in the command line or in the settings, found before anything was sent. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** Runs an action. Reports its failure as one line on standard error and sets the exit status. */
export async function withExitCode(action: () => Promise<void>): Promise<void> {
	try {
		await action();
	} catch (error) {
		console.error(`parley: ${describeError(error)}`);
		process.exitCode = exitCodeOf(error);
	}
}

/** Returns the exit status for an error. */
export function exitCodeOf(error: unknown): number {
	if (error instanceof UsageError) return EXIT.usage;
	if (error instanceof UnreachableError) return EXIT.unreachable;
	if (error instanceof ParleyError && error.status === 404) return EXIT.notFound;
	if (isRefusal(error)) return EXIT.refused;
	return EXIT.failed;
}

/** Returns whether the service refused a request that would be refused again. */
export const isRefusal = (error: unknown): boolean =>
	error instanceof ParleyError && error.status < 500 && error.status !== 429;

/** Describes an error in one line. A refusal of the service carries its request id. */
export function describeError(error: unknown): string {
	if (error instanceof ParleyError)
		return error.message + (error.requestId ? ` (request ${error.requestId})` : "");
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
