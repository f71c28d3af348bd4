import { DELIVERY_TRIES } from "@parley/db/batch/deliveries";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** Times between the starts of attempts, which are at 0 s, 30 s, 2 min, 10 min, 1 h and 6 h. */
const PAUSES_MS = [30, 90, 480, 3000, 18_000].map((seconds) => seconds * SECOND_MS);
/** Largest share by which a delay grows, so that notifications that failed together are not retried together. */
const JITTER = 0.1;
/** Longest `Retry-After` that is honoured. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

type Failed = {
	/** Attempts left after the failed one, at least 1. */
	triesLeft: number;
	startedAt: Date;
	now: Date;
	retryAfterMs: number | undefined;
	/** In [0, 1). */
	random: number;
};

/** Returns when a notification is attempted again. */
export function nextAttempt({ triesLeft, startedAt, now, retryAfterMs = 0, random }: Failed): Date {
	const pauseMs = PAUSES_MS[DELIVERY_TRIES - 1 - triesLeft] ?? 0;
	const own = startedAt.getTime() + pauseMs * (1 + JITTER * random);
	const asked = now.getTime() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
	return new Date(Math.max(own, asked));
}
