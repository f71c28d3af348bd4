import type { Breaker } from "./breaker.ts";

const DEFAULT_WINDOW_MS = 5 * 60_000;
const MIN_WINDOW_MS = 60_000;
const MAX_WINDOW_MS = 24 * 60 * 60_000;
const FIRST_RETRY_MS = 30_000;
/** Delay after which an alarm counts as held up by an outage that probably delayed all other alarms too. */
const LATE_MS = 60_000;
const CATCH_UP_MS = 5 * 60_000;

/** Returns how long a tool list counts as fresh: the server's TTL, limited to 1 minute to 24 hours. Servers send 0 by default, which means 5 minutes. */
export const windowMs = (ttlMs: number | undefined): number =>
	ttlMs !== undefined && ttlMs > 0
		? Math.min(MAX_WINDOW_MS, Math.max(MIN_WINDOW_MS, ttlMs))
		: DEFAULT_WINDOW_MS;

export type Attempt = {
	now: number;
	/** Random number in [0, 1) for the jitter. */
	random: number;
	/** Time for which the server declares its list fresh. */
	ttlMs: number | undefined;
	/** True when the attempt failed in transport, which is retried sooner than other failures. */
	isTransportFailure: boolean;
	retryAfterMs: number | undefined;
	/** Breaker after the attempt. */
	breaker: Breaker;
};

/** Returns when to refresh a server next: at 80 to 90 % of its freshness window, sooner after a transport failure. */
export function nextRefreshAt({ now, random, ttlMs, breaker, ...attempt }: Attempt): number {
	if (breaker.state === "open" && breaker.until > now)
		return Math.ceil(breaker.until + 0.1 * random * breaker.cooldownMs);
	const window = windowMs(ttlMs);
	const failures = breaker.state === "closed" ? breaker.failures : 1;
	const wait = attempt.isTransportFailure
		? Math.min(window, FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1))
		: window;
	const jittered = Math.round(wait * (0.8 + 0.1 * random));
	return now + Math.max(jittered, Math.min(MAX_WINDOW_MS, attempt.retryAfterMs ?? 0));
}

/**
 * Returns when to refresh a server that became referenced. A stale list is refreshed at a random time within five minutes,
 * since one agent may reference a hundred servers at once.
 * @param observedAt time at which its list was last confirmed
 */
export function firstRefreshAt(observedAt: number, now: number, random: number): number {
	const dueAt = Math.round(observedAt + DEFAULT_WINDOW_MS * (0.8 + 0.1 * random));
	return dueAt > now ? dueAt : Math.ceil(now + random * CATCH_UP_MS);
}

/** Returns a later time for an overdue alarm, or undefined to run now. Spreads the refreshes after an outage over five minutes. */
export const catchUpAt = (dueAt: number, now: number, random: number): number | undefined =>
	now - dueAt > LATE_MS ? Math.ceil(now + random * CATCH_UP_MS) : undefined;
