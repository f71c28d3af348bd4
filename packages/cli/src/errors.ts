import { ParleyError } from "@parley/sdk/http";

/** Runs a command; a failure is one line on standard error and exit status 1, never a stack trace. */
export async function orExplain(
	{ args, cmd }: { args: object; cmd: { args?: unknown } },
	command: () => Promise<void>,
): Promise<void> {
	try {
		refuseUnknown(Object.keys(args), Object.keys(cmd.args ?? {}));
		await command();
	} catch (error) {
		console.error(`parley: ${explain(error)}`);
		process.exitCode = 1;
	}
}

/** A mistyped option would otherwise pass unseen. @throws Error naming it */
function refuseUnknown(given: string[], known: string[]): void {
	const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
	const unknown = given.find((name) => name !== "_" && !known.some((one) => camel(one) === camel(name)));
	if (unknown) throw new Error(`there is no option --${unknown}; see --help`);
}

/** One line for people; a refusal of the service carries its request id. */
export function explain(error: unknown): string {
	if (error instanceof ParleyError)
		return error.message + (error.requestId ? ` (request ${error.requestId})` : "");
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
