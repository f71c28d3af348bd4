/**
 * Leaves a server alone after repeated transport failures. Times are milliseconds of one clock. `probing` holds one
 * attempt's permission, which runs out by itself when that attempt never reports.
 */
export type Breaker =
	| { state: "closed"; failures: number }
	| { state: "open"; until: number; cooldownMs: number }
	| { state: "probing"; since: number; cooldownMs: number };

/**
 * What an attempt says about the way to the server. `answered` is any answer, also a refusal or nonsense; `not_tried` an
 * attempt that stopped before it sent anything.
 */
export type Outcome = "answered" | "transport_failure" | "not_tried";

export const CLOSED: Breaker = { state: "closed", failures: 0 };
export const MAX_FAILURES = 5;
export const FIRST_COOLDOWN_MS = 60_000;
export const MAX_COOLDOWN_MS = 15 * 60_000;
/** Longer than any attempt lasts. */
export const PROBE_LEASE_MS = 30_000;

/** How often a person's connect goes past an open circuit. */
export const FORCE_INTERVAL_MS = 5_000;

export type Admission =
	| {
			isAdmitted: true;
			breaker: Breaker;
			/** When the attempt went past an open circuit, if it did. */
			forcedAt?: number;
	  }
	| { isAdmitted: false; retryAt: number };

/** The breaker to keep before an attempt, or when the next one may be tried. */
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
 * The same for an attempt that a person has asked for. It goes past an open circuit, once in five seconds, and when it fails
 * the cooldown ends no later for it.
 * @param forcedAt when an attempt last went past this circuit
 */
export function admitAsked(breaker: Breaker, forcedAt: number | undefined, now: number): Admission {
	const admission = admit(breaker, now);
	if (admission.isAdmitted) return admission;
	// A clock that was set back must not lengthen the wait.
	const isTooSoon = forcedAt !== undefined && now >= forcedAt && now < forcedAt + FORCE_INTERVAL_MS;
	return isTooSoon
		? { isAdmitted: false, retryAt: forcedAt + FORCE_INTERVAL_MS }
		: { isAdmitted: true, breaker, forcedAt: now };
}

/** The breaker after an attempt that was admitted. */
export function settle(breaker: Breaker, outcome: Outcome, now: number): Breaker {
	if (outcome === "answered") return CLOSED;
	if (outcome === "not_tried")
		return breaker.state === "probing"
			? { state: "open", until: now, cooldownMs: breaker.cooldownMs }
			: breaker;
	if (breaker.state === "open") return breaker;
	if (breaker.state === "probing") return opened(Math.min(MAX_COOLDOWN_MS, breaker.cooldownMs * 2), now);
	const failures = breaker.failures + 1;
	return failures >= MAX_FAILURES ? opened(FIRST_COOLDOWN_MS, now) : { state: "closed", failures };
}

const opened = (cooldownMs: number, now: number): Breaker => ({
	state: "open",
	until: now + cooldownMs,
	cooldownMs,
});
