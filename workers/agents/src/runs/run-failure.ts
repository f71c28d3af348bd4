import type { RunErrorCode } from "@parley/contracts/agents/tool-runs";
import { EgressError } from "@parley/egress/egress-error";
import { TemplateError } from "@parley/templates/template-error";

/** Reports why a run failed. The run's result contains it; it is not an error of the service. */
export class RunFailure extends Error {
	override readonly name = "RunFailure";
	readonly code: RunErrorCode;
	readonly status: "failed" | "timed_out";

	constructor(code: RunErrorCode, message: string, status: "failed" | "timed_out" = "failed") {
		super(message);
		this.code = code;
		this.status = status;
	}
}

/** Converts an error into the run's failure; undefined for an error of the service itself. */
export function toFailure(error: unknown): RunFailure | undefined {
	if (error instanceof RunFailure) return error;
	if (error instanceof TemplateError) return new RunFailure("INVALID_TEMPLATE", error.message);
	if (!(error instanceof EgressError)) return undefined;
	switch (error.code) {
		case "timeout":
			return new RunFailure("TIMED_OUT", error.message, "timed_out");
		case "body_too_large":
			return new RunFailure("OUTPUT_TOO_LARGE", error.message);
		case "encoded_body":
			return new RunFailure("HTTP_ERROR", error.message);
		default:
			return new RunFailure(error.code.toUpperCase() as Uppercase<typeof error.code>, error.message);
	}
}
