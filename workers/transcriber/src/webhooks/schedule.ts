import { DELIVERY_TRIES } from "@parley/db/deliveries";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** From the start of one try to the start of the next: with these, tries are at 0 s, 30 s, 2 min, 10 min, 1 h and 6 h. */
const PAUSES_MS = [30, 90, 480, 3000, 18_000].map((seconds) => seconds * SECOND_MS);
/** Upwards only, so that notifications which failed together do not come back together. */
const JITTER = 0.1;
/** What hosts ask for is heeded up to here. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

type Failed = {
	/** After the try that failed, at least 1. */
	triesLeft: number;
	startedAt: Date;
	now: Date;
	retryAfterMs: number | undefined;
	/** In [0, 1). */
	random: number;
};

/** When a notification is tried again. */
export function nextTry({ triesLeft, startedAt, now, retryAfterMs = 0, random }: Failed): Date {
	const pauseMs = PAUSES_MS[DELIVERY_TRIES - 1 - triesLeft] ?? 0;
	const own = startedAt.getTime() + pauseMs * (1 + JITTER * random);
	const asked = now.getTime() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
	return new Date(Math.max(own, asked));
}
