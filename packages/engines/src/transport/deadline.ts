import { engineError } from "./engine-error.ts";

/**
 * Runs `work` until it settles, the deadline passes or the caller aborts. The wait ends even if `work` ignores its signal.
 * @throws EngineError `engine_timeout` after the deadline, or the reason of the caller's abort.
 */
export async function withDeadline<T>(
	work: (signal: AbortSignal) => Promise<T>,
	limits: { deadlineMs: number; signal?: AbortSignal | undefined },
): Promise<T> {
	limits.signal?.throwIfAborted();
	// Node accepts whole milliseconds only.
	const deadlineMs = Math.round(limits.deadlineMs);
	const deadline = AbortSignal.timeout(deadlineMs);
	const signal = limits.signal ? AbortSignal.any([deadline, limits.signal]) : deadline;
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	try {
		return await Promise.race([work(signal), aborted.promise]);
	} catch (error) {
		if (limits.signal?.aborted) throw limits.signal.reason;
		if (deadline.aborted) throw engineError("engine_timeout", `no answer in ${deadlineMs} ms`);
		throw error;
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
