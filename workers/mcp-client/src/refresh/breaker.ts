/**
 * State of a server's circuit breaker, which stops attempts after repeated transport failures. Times are in milliseconds
 * since the epoch. `probing` admits one attempt; it expires after `PROBE_LEASE_MS` if that attempt never reports.
 */
export type Breaker =
	| { state: "closed"; failures: number }
	| { state: "open"; until: number; cooldownMs: number }
	| { state: "probing"; since: number; cooldownMs: number };

/**
 * Outcome of an attempt, as the breaker counts it. `answered`: the server answered anything, including a refusal or an
 * invalid message. `not_tried`: the attempt stopped before it sent a request.
 */
export type Outcome = "answered" | "transport_failure" | "not_tried";

export const CLOSED: Breaker = { state: "closed", failures: 0 };
export const MAX_FAILURES = 5;
export const FIRST_COOLDOWN_MS = 60_000;
export const MAX_COOLDOWN_MS = 15 * 60_000;
/** Time after which a probe that has not reported counts as crashed. Longer than any attempt. */
export const PROBE_LEASE_MS = 30_000;

/** Minimum time between two manual connects that bypass an open circuit. */
export const FORCE_INTERVAL_MS = 5_000;

export type Admission =
	| {
			isAdmitted: true;
			breaker: Breaker;
			/** Time at which the attempt bypassed an open circuit; absent when it did not. */
			forcedAt?: number;
	  }
	| { isAdmitted: false; retryAt: number };

/** Decides whether an attempt may run now. Returns the breaker to store before it, or when to try again. */
export function admit(breaker: Breaker, now: number): Admission {
	if (breaker.state === "closed") return { isAdmitted: true, breaker };
	const [from, until] =
		breaker.state === "open"
			? [breaker.until - breaker.cooldownMs, breaker.until]
			: [breaker.since, breaker.since + PROBE_LEASE_MS];
	// A clock that was set back must not lengthen the wait.
	if (now >= from && now < until) return { isAdmitted: false, retryAt: until };
	return { isAdmitted: true, breaker: { state: "probing", since: now, cooldownMs: breaker.cooldownMs } };
}

/**
 * Decides whether a manual connect may run now. It may bypass an open circuit once in five seconds. If it fails, the
 * cooldown is not extended.
 * @param forcedAt time at which an attempt last bypassed this circuit
 */
export function admitManual(breaker: Breaker, forcedAt: number | undefined, now: number): Admission {
	const admission = admit(breaker, now);
	if (admission.isAdmitted) return admission;
	// A clock that was set back must not lengthen the wait.
	const isTooSoon = forcedAt !== undefined && now >= forcedAt && now < forcedAt + FORCE_INTERVAL_MS;
	return isTooSoon
		? { isAdmitted: false, retryAt: forcedAt + FORCE_INTERVAL_MS }
		: { isAdmitted: true, breaker, forcedAt: now };
}

/** Returns the breaker after an admitted attempt. */
export function breakerAfter(breaker: Breaker, outcome: Outcome, now: number): Breaker {
	if (outcome === "answered") return CLOSED;
	if (outcome === "not_tried")
		return breaker.state === "probing"
			? { state: "open", until: now, cooldownMs: breaker.cooldownMs }
			: breaker;
	if (breaker.state === "open") return breaker;
	if (breaker.state === "probing") return openBreaker(Math.min(MAX_COOLDOWN_MS, breaker.cooldownMs * 2), now);
	const failures = breaker.failures + 1;
	return failures >= MAX_FAILURES ? openBreaker(FIRST_COOLDOWN_MS, now) : { state: "closed", failures };
}

const openBreaker = (cooldownMs: number, now: number): Breaker => ({
	state: "open",
	until: now + cooldownMs,
	cooldownMs,
});
