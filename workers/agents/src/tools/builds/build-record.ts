import type { BuildError, PythonGate } from "@parley/contracts/python-rpc";
import type { tools } from "@parley/db/tools";

type Stored = typeof tools.$inferSelect;

/** What a tool's row says of its build. */
export type BuildRecord = Pick<
	Stored,
	"buildState" | "buildErrors" | "buildUntil" | "builtHash" | "sourceHash" | "argSchema"
>;

const INTERRUPTED: BuildError = {
	...{
		code: "SANDBOX_ERROR",
		gate: "code_environment",
		message: "The build was interrupted; start it again",
	},
	...{ traceback: null, dependency: null, suggested_pin: null },
};

/** The record as it is to be taken now: a build that nobody prolongs any more has crashed. */
export function settledBuild<T extends Pick<BuildRecord, "buildState" | "buildErrors" | "buildUntil">>(
	record: T,
	now: Date,
): T {
	const { buildState, buildUntil } = record;
	if (buildState !== "building" || buildUntil === null || buildUntil > now.toISOString()) return record;
	return { ...record, buildState: "failed", buildErrors: [INTERRUPTED] };
}

/** The arguments that were read off the present source; null when they were not, or when there is nothing to read. */
export const introspectedSchema = (record: Pick<BuildRecord, "builtHash" | "sourceHash" | "argSchema">) =>
	record.builtHash === record.sourceHash ? record.argSchema : null;

/** Why a build failed: what to mend first, and a traceback where the tool's own code raised. */
export const buildDetail = ({ buildErrors }: Pick<BuildRecord, "buildErrors">): string | null =>
	buildErrors ? buildErrors.map(explained).join("\n") : null;

/** What of a failed build belongs to a gate; undefined when it failed for other reasons. */
export function gateErrors(errors: BuildError[] | null, gate: PythonGate): string | undefined {
	const messages = (errors ?? []).filter((error) => error.gate === gate).map(({ message }) => message);
	return messages.length > 0 ? messages.join("\n") : undefined;
}

/** A summary in the first line, then the traceback with the lines of the tool's own source. */
export const explained = ({ message, traceback }: { message: string; traceback: string | null }): string =>
	traceback ? `${message}\n\n${traceback.trimEnd()}` : message;
