import type { Breaker } from "./breaker.ts";

const DEFAULT_WINDOW_MS = 5 * 60_000;
const MIN_WINDOW_MS = 60_000;
const MAX_WINDOW_MS = 24 * 60 * 60_000;
const FIRST_RETRY_MS = 30_000;
/** An alarm this late was held up by an outage, as were those of all other servers. */
const LATE_MS = 60_000;
const CATCH_UP_MS = 5 * 60_000;

/** How long a tool list counts as fresh: what the server says, within bounds. Zero is what servers say by default. */
export const windowMs = (ttlMs: number | undefined): number =>
	ttlMs !== undefined && ttlMs > 0
		? Math.min(MAX_WINDOW_MS, Math.max(MIN_WINDOW_MS, ttlMs))
		: DEFAULT_WINDOW_MS;

export type Attempt = {
	now: number;
	/** In [0, 1). */
	random: number;
	/** The server's own word on how long its list stays fresh. */
	ttlMs: number | undefined;
	/** Transport failures may pass soon; any other failure is looked at again when the list would be. */
	isTransportFailure: boolean;
	retryAfterMs: number | undefined;
	/** As it is after the attempt. */
	breaker: Breaker;
};

/** When to look at a server again: at 80 to 90 % of its window, sooner after a failure that may pass. */
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
 * When to look at a server that gets used, from when its list was last confirmed. One whose list is stale by then is not
 * asked at once: an agent may take up a hundred of them in one stroke.
 */
export function firstRefreshAt(observedAt: number, now: number, random: number): number {
	const dueAt = Math.round(observedAt + DEFAULT_WINDOW_MS * (0.8 + 0.1 * random));
	return dueAt > now ? dueAt : Math.ceil(now + random * CATCH_UP_MS);
}

/** When an alarm that comes late runs instead; undefined to run now. After an outage not all servers are asked at once. */
export const catchUpAt = (dueAt: number, now: number, random: number): number | undefined =>
	now - dueAt > LATE_MS ? Math.ceil(now + random * CATCH_UP_MS) : undefined;
