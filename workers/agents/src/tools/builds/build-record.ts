import type { BuildError, PythonGate } from "@parley/contracts/internal/python-rpc";
import type { tools } from "@parley/db/agents/tools";

type Stored = typeof tools.$inferSelect;

/** The part of a tool's row that describes its build. */
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

/** Returns the record as of now: a build whose lease has expired has crashed, so it counts as failed. */
export function settledBuild<T extends Pick<BuildRecord, "buildState" | "buildErrors" | "buildUntil">>(
	record: T,
	now: Date,
): T {
	const { buildState, buildUntil } = record;
	if (buildState !== "building" || buildUntil === null || buildUntil > now.toISOString()) return record;
	return { ...record, buildState: "failed", buildErrors: [INTERRUPTED] };
}

/** Returns the arguments that were read from the current source; null while they were not, and for types without code. */
export const introspectedSchema = (record: Pick<BuildRecord, "builtHash" | "sourceHash" | "argSchema">) =>
	record.builtHash === record.sourceHash ? record.argSchema : null;

/** Describes why a build failed: what to fix, and the traceback if the tool's own code raised. */
export const describeBuildErrors = ({ buildErrors }: Pick<BuildRecord, "buildErrors">): string | null =>
	buildErrors ? buildErrors.map(describeError).join("\n") : null;

/** Returns the errors of a failed build that belong to a gate; undefined if there are none. */
export function gateErrors(errors: BuildError[] | null, gate: PythonGate): string | undefined {
	const messages = (errors ?? []).filter((error) => error.gate === gate).map(({ message }) => message);
	return messages.length > 0 ? messages.join("\n") : undefined;
}

/** Describes an error of the sandbox: its message, then the traceback with the lines of the tool's own source. */
export const describeError = ({
	message,
	traceback,
}: {
	message: string;
	traceback: string | null;
}): string => (traceback ? `${message}\n\n${traceback.trimEnd()}` : message);
