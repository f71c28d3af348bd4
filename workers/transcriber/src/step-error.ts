import type { JobError } from "@parley/contracts/batch/jobs";
import { EngineError } from "@parley/engines/transport/engine-error";

type StepErrorOptions = {
	/** Whether another attempt may succeed. Default: false. */
	retryable?: boolean;
	retryAfterMs?: number | undefined;
	/** Number of attempts, where fewer than the queue's make sense. */
	maxAttempts?: number | undefined;
	cause?: unknown;
};

/** Error that stops a step of a job. Its message is public and becomes the job's `error` when no attempt is left. */
export class StepError extends Error {
	override readonly name = "StepError";
	readonly code: string;
	readonly retryable: boolean;
	readonly retryAfterMs: number | undefined;
	readonly maxAttempts: number | undefined;

	constructor(code: string, message: string, options: StepErrorOptions = {}) {
		super(message, { cause: options.cause });
		this.code = code;
		this.retryable = options.retryable ?? false;
		this.retryAfterMs = options.retryAfterMs;
		this.maxAttempts = options.maxAttempts;
	}
}

/** Converts any error. An unexpected one may be retried, and its message stays internal. */
export function toStepError(error: unknown): StepError {
	if (error instanceof StepError) return error;
	if (error instanceof EngineError) {
		const { code, message, retryable, retryAfterMs } = error;
		return new StepError(code, message, { retryable, retryAfterMs, cause: error });
	}
	return new StepError("internal_error", "An internal error stopped the job.", {
		retryable: true,
		cause: error,
	});
}

export const toJobError = ({ code, message, retryable }: StepError): JobError => ({
	code,
	message,
	retryable,
});
