import type { Directive, ToolCallError, ToolCallStatus } from "@parley/contracts/agents/tool-calls";
import type { FieldError } from "@parley/contracts/shared/api-error";
import { ApiError } from "@parley/contracts/shared/api-error";
import { toFailure } from "../../../runs/run-failure.ts";
import { CallFailure } from "./call-failure.ts";

/** End of a call. Every text in it is scrubbed. */
export type CallOutcome = {
	status: ToolCallStatus;
	output: unknown;
	directive: Directive | null;
	error: ToolCallError | null;
	validation: "valid" | "mismatch" | "na";
	logs: string[];
	mocked: boolean;
};

const NOTHING = { output: null, directive: null, error: null, validation: "na" as const, mocked: false };

export const succeededWith = (own: Partial<CallOutcome>): CallOutcome => ({
	...NOTHING,
	status: "succeeded",
	logs: [],
	...own,
});

/** Returns an outcome with an error: `timed_out` for the code TIMED_OUT, else `failed`. Members of `own` take precedence. */
export const failedWith = (error: ToolCallError, own: Partial<CallOutcome> = {}): CallOutcome => ({
	...NOTHING,
	status: error.code === "TIMED_OUT" ? "timed_out" : "failed",
	error,
	logs: [],
	...own,
});

/** Returns the outcome of a call that ended with an error; undefined for a fault of Parley itself. */
export function outcomeOfError(error: unknown, scrub: (text: string) => string): CallOutcome | undefined {
	if (error instanceof ApiError && error.code === "VALIDATION_FAILED") return rejected(error.fields ?? []);
	if (error instanceof ApiError && error.code === "RATE_LIMITED")
		return failedWith({ code: "SANDBOX_BUSY", message: scrub(error.message) });
	if (error instanceof CallFailure) return failedWith({ code: error.code, message: scrub(error.message) });
	const failure = toFailure(error);
	if (!failure) return undefined;
	return failedWith({ code: failure.code, message: scrub(failure.message) }, { status: failure.status });
}

/**
 * Returns the outcome of invalid arguments. The model can correct its own arguments only: if those that the agent fixes are
 * invalid, the call has failed, and the message does not show them.
 * @param fields as runs report them: below `sample_input` what was given, below `argument_defaults` what was fixed
 */
export function rejected(fields: readonly FieldError[]): CallOutcome {
	const own = fields
		.filter(({ path }) => /^sample_input\b/.test(path))
		.map(({ path, message }) => ({ path: path.replace(/^sample_input/, "arguments"), message }));
	if (own.length === 0) {
		const names = fields.map(({ path }) => path.replace(/^argument_defaults\.?/, ""));
		const message = `The tool does not accept the value that the agent fixes for ${names.join(", ")}`;
		return failedWith({ code: "INVALID_ARGUMENTS", message });
	}
	const [first] = own;
	const message = `${first?.path}: ${first?.message}`;
	return failedWith({ code: "INVALID_ARGUMENTS", message, fields: own }, { status: "rejected" });
}
