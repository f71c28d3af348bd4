import type { JobError } from "@parley/contracts/jobs";
import { EngineError } from "@parley/engines/transport/engine-error";

type SetbackOptions = {
	/** Whether trying again may help; false when absent. */
	retryable?: boolean;
	retryAfterMs?: number | undefined;
	/** For what seldom heals: fewer tries than the queue would give. */
	maxAttempts?: number | undefined;
	cause?: unknown;
};

/** What stops a step of a job: its message is public and, once nothing is left to try, the reason why the job failed. */
export class Setback extends Error {
	override readonly name = "Setback";
	readonly code: string;
	readonly retryable: boolean;
	readonly retryAfterMs: number | undefined;
	readonly maxAttempts: number | undefined;

	constructor(code: string, message: string, options: SetbackOptions = {}) {
		super(message, { cause: options.cause });
		this.code = code;
		this.retryable = options.retryable ?? false;
		this.retryAfterMs = options.retryAfterMs;
		this.maxAttempts = options.maxAttempts;
	}
}

/** Any error as a setback. What nobody foresaw is tried again, and hidden from the caller. */
export function toSetback(error: unknown): Setback {
	if (error instanceof Setback) return error;
	if (error instanceof EngineError) {
		const { code, message, retryable, retryAfterMs } = error;
		return new Setback(code, message, { retryable, retryAfterMs, cause: error });
	}
	return new Setback("internal_error", "An internal error stopped the job.", {
		retryable: true,
		cause: error,
	});
}

export const toJobError = ({ code, message, retryable }: Setback): JobError => ({ code, message, retryable });
