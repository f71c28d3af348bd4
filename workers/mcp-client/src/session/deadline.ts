import { ConnectFailure } from "./connect-failure.ts";

export type Deadline = {
	/** Aborts at the end of the time, or with what `fail` was given. */
	signal: AbortSignal;
	remainingMs: () => number;
	/** The work's result, or the signal's reason as soon as it aborts. */
	race: <T>(work: Promise<T>) => Promise<T>;
	/** Ends the time before it is over, for a reason that everything that still waits gets. */
	fail: (failure: ConnectFailure) => void;
	/** Lets go of everything that still waits. */
	end: () => void;
};

/** The time that one attempt has, all its requests together. */
export function startDeadline(totalMs: number): Deadline {
	const endsAt = Date.now() + totalMs;
	const controller = new AbortController();
	const { signal } = controller;
	const timer = setTimeout(
		() => controller.abort(new ConnectFailure("timeout", "The server did not answer in time")),
		totalMs,
	);
	const fail = (failure: ConnectFailure): void => {
		clearTimeout(timer);
		controller.abort(failure);
	};
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
		fail,
		end: () => fail(new ConnectFailure("timeout", "The attempt is over")),
	};
}
