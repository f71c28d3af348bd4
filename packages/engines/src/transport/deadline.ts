import { engineError } from "./engine-error.ts";

/**
 * Runs `work` until it settles, the deadline passes (EngineError `engine_timeout`) or the caller aborts (its reason). The
 * signal that `work` gets may be ignored: the wait ends all the same.
 */
export async function withDeadline<T>(
	work: (signal: AbortSignal) => Promise<T>,
	limits: { deadlineMs: number; signal?: AbortSignal | undefined },
): Promise<T> {
	limits.signal?.throwIfAborted();
	// Node takes whole milliseconds only.
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
