import type { RateClass } from "./limits.ts";

/** A key has a budget for each class of request, in windows that begin with the first request after the last one ended. */
export const WINDOW_MS = 60_000;
/** An isolate that has not heard from the object for so long asks again, so that what it reports stays true. */
const REFRESH_MS = 5_000;
// No lease takes more than this part of what is left: the last tokens go out one by one, and little is stranded in an
// isolate that is not called again.
const SHARE = 8;
const FIRST_SHARE = 64;

export type Ask = { rateClass: RateClass; limit: number; want: number };

/** The object's account of one class: how much of the running window is given away. Times are the object's. */
export type Pool = { endsAt: number; used: number };

/** Tokens of one window. Its end is told as a distance, because the clocks of two machines differ. */
export type Lease = { window: number; tokens: number; remaining: number; endsInMs: number };

/** Tokens that an isolate holds for one key and class. Times are of the isolate's clock. */
export type Bucket = {
	window: number;
	tokens: number;
	/** Tokens left with the Durable Object at the last request. */
	elsewhere: number;
	endsAt: number;
	refreshAt: number;
	blockSize: number;
};

export type Draw = { admitted: boolean; remaining: number; resetMs: number };

/** The object's rule: up to `want` tokens of the running window, fewer as it runs out. */
export function grantLease(pool: Pool | undefined, ask: Ask, now: number): { pool: Pool; lease: Lease } {
	const { endsAt, used } = pool && pool.endsAt > now ? pool : { endsAt: now + WINDOW_MS, used: 0 };
	const left = Math.max(0, ask.limit - used);
	const tokens = Math.min(ask.want, left, Math.max(1, Math.floor(left / SHARE)));
	return {
		pool: { endsAt, used: used + tokens },
		lease: { window: endsAt, tokens, remaining: left - tokens, endsInMs: endsAt - now },
	};
}

/** One request's draw on what the isolate holds; no draw when only the object can tell. */
export function drawFrom(bucket: Bucket, now: number): { bucket: Bucket; draw: Draw | undefined } {
	if (bucket.endsAt <= now) return { bucket, draw: undefined };
	const resetMs = bucket.endsAt - now;
	if (bucket.tokens === 0 && bucket.elsewhere === 0)
		return { bucket, draw: { admitted: false, remaining: 0, resetMs } };
	if (bucket.tokens === 0 || bucket.refreshAt <= now) return { bucket, draw: undefined };
	const left = { ...bucket, tokens: bucket.tokens - 1 };
	return { bucket: left, draw: { admitted: true, remaining: left.tokens + left.elsewhere, resetMs } };
}

/** How many tokens to ask for: none for news alone, twice the last block when that was used up, few at first. */
export function wantedTokens(bucket: Bucket | undefined, limit: number, now: number): number {
	if (!bucket || bucket.endsAt <= now) return Math.ceil(limit / FIRST_SHARE);
	return bucket.tokens > 0 ? 0 : bucket.blockSize * 2;
}

/**
 * Adds a lease to what the isolate holds and draws for the request that asked for it. The object has just confirmed its
 * window, so this draw needs no clock. Later draws compare the isolate's clock with the latest known lower bound of the
 * window's end, so that no token outlives its window. Answers may overtake each other; a window's pool only shrinks.
 * @returns no draw when the answer brought nothing for this request: it must look at the bucket again.
 */
export function drawFromLease(
	held: Bucket | undefined,
	lease: Lease,
	sentAt: number,
	want: number,
): { bucket: Bucket; draw: Draw | undefined } {
	const resetMs = Math.max(0, lease.endsInMs);
	if (held && held.window > lease.window) {
		const draw = { admitted: true, remaining: held.tokens + held.elsewhere, resetMs };
		return { bucket: held, draw: lease.tokens > 0 ? draw : undefined };
	}
	const bucket = addLease(held, lease, sentAt, want);
	if (bucket.tokens > 0) {
		const left = { ...bucket, tokens: bucket.tokens - 1 };
		return { bucket: left, draw: { admitted: true, remaining: left.tokens + left.elsewhere, resetMs } };
	}
	const isSpent = want > 0 && lease.remaining === 0;
	return { bucket, draw: isSpent ? { admitted: false, remaining: 0, resetMs } : undefined };
}

function addLease(held: Bucket | undefined, lease: Lease, sentAt: number, want: number): Bucket {
	const fresh: Bucket = {
		window: lease.window,
		tokens: lease.tokens,
		elsewhere: lease.remaining,
		endsAt: sentAt + lease.endsInMs,
		refreshAt: sentAt + REFRESH_MS,
		blockSize: Math.max(1, want),
	};
	if (held?.window !== lease.window) return fresh;
	return {
		...fresh,
		tokens: held.tokens + lease.tokens,
		elsewhere: Math.min(held.elsewhere, lease.remaining),
		endsAt: Math.max(held.endsAt, fresh.endsAt),
		refreshAt: Math.max(held.refreshAt, fresh.refreshAt),
		blockSize: Math.max(held.blockSize, want),
	};
}
