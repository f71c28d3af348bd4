export type BackoffOptions = {
	/** Before the second attempt, at most. 500 when absent. */
	baseMs?: number;
	/** Between any two attempts, at most. 30,000 when absent. */
	maxMs?: number;
	/** Delay that the host asked for, from `parseRetryAfter`. */
	retryAfterMs?: number | undefined;
	/** In [0, 1). */
	random?: () => number;
};

/**
 * Milliseconds to wait after failed attempt `attempt` (from 1): doubling, of which half is chance, so that those who failed
 * together do not come back together, and no number of attempts is used up in a moment. Never less than the host asked for,
 * which may be more than `maxMs`: a caller with less time gives up instead.
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
	const { baseMs = 500, maxMs = 30_000, retryAfterMs = 0, random = Math.random } = options;
	const ceiling = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
	return Math.max(retryAfterMs, Math.ceil((ceiling * (1 + random())) / 2));
}

/** The three forms of an HTTP date, RFC 9110 section 5.6.7; the last one has no zone and means GMT. */
const HTTP_DATES = [
	/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
	/^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
	/^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Milliseconds that a Retry-After header asks to wait, from `now`; undefined when absent or not understood. */
export function parseRetryAfter(value: string | null | undefined, now: Date): number | undefined {
	const text = value?.trim() ?? "";
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
	if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
	const at = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
	return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Reports whether a retry may get another status than this one: 408, 425, 429, 500, 502, 503 or 504. */
export const isRetryableStatus = (status: number): boolean => RETRYABLE_STATUSES.has(status);
