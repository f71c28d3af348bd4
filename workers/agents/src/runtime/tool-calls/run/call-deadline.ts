import { CallFailure } from "./call-failure.ts";

export type CallDeadline = {
	/** Aborts with a CallFailure when the time is up or the caller cancels. */
	signal: AbortSignal;
	remainingMs: () => number;
	/** Waits for the work, or rejects as soon as the signal aborts. */
	race: <T>(work: Promise<T>) => Promise<T>;
	/** Clears the timer. */
	end: () => void;
};

/**
 * Starts the time limit of a call.
 * @param cancelled aborts when the caller no longer wants the result
 */
export function startDeadline(deadlineMs: number, cancelled?: AbortSignal): CallDeadline {
	const endsAt = Date.now() + deadlineMs;
	const controller = new AbortController();
	const timer = setTimeout(() => {
		const message = `The call took longer than its deadline of ${deadlineMs} ms`;
		controller.abort(new CallFailure("TIMED_OUT", message));
	}, deadlineMs);
	const cancel = () => controller.abort(new CallFailure("CANCELLED", "The caller cancelled the call"));
	if (cancelled?.aborted) cancel();
	cancelled?.addEventListener("abort", cancel, { once: true });
	const { signal } = controller;
	return {
		signal,
		remainingMs: () => Math.max(1, endsAt - Date.now()),
		race: (work) =>
			new Promise((resolve, reject) => {
				const onAbort = (): void => reject(signal.reason);
				if (signal.aborted) return onAbort();
				signal.addEventListener("abort", onAbort, { once: true });
				work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
			}),
		end: () => {
			clearTimeout(timer);
			cancelled?.removeEventListener("abort", cancel);
		},
	};
}
