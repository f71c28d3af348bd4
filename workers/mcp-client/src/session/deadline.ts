import { ConnectFailure } from "./connect-failure.ts";

export type Deadline = {
	/** Aborts when the time is up, or with the failure given to `fail`. */
	signal: AbortSignal;
	remainingMs: () => number;
	/** Waits for the work, or rejects with the signal's reason as soon as it aborts. */
	race: <T>(work: Promise<T>) => Promise<T>;
	/** Aborts now. Everything that still waits rejects with this failure. */
	fail: (failure: ConnectFailure) => void;
	/** Clears the timer and rejects everything that still waits. */
	end: () => void;
};

/** Starts the time limit that all requests of one attempt share. */
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
