import { KeyCache } from "@parley/auth/key-cache";
import {
	type Ask,
	type Bucket,
	type Draw,
	drawFrom,
	drawFromLease,
	type Lease,
	WINDOW_MS,
	wantedTokens,
} from "./lease.ts";
import type { RateClass } from "./limits.ts";

export type KeyLimitContext = {
	/** Asks the account of the key; in production its Durable Object. */
	ask: (ask: Ask) => Promise<Lease>;
	clock: () => Date;
	/** One map an isolate; tests pass their own. */
	buckets?: KeyCache<Bucket>;
};

const MAX_TRIES = 4;

const isolateBuckets = new KeyCache<Bucket>(20_000, WINDOW_MS);

/**
 * Draws on a key's budget for one request, nearly always from what the isolate holds. Otherwise asks the account.
 * @throws when the account does not decide: each of its answers was overtaken by a later window.
 */
export async function drawForKey(
	ctx: KeyLimitContext,
	keyId: string,
	rateClass: RateClass,
	limit: number,
): Promise<Draw> {
	const buckets = ctx.buckets ?? isolateBuckets;
	const name = `${rateClass}:${keyId}`;
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const now = ctx.clock().getTime();
		const held = buckets.get(name, now);
		const local = held && drawFrom(held, now);
		if (local?.draw) {
			buckets.set(name, local.bucket, now);
			return local.draw;
		}
		const want = wantedTokens(held, limit, now);
		const lease = await ctx.ask({ rateClass, limit, want });
		// Other requests may have drawn in between: the lease is added to what the isolate holds now.
		const answered = drawFromLease(buckets.get(name, ctx.clock().getTime()), lease, now, want);
		buckets.set(name, answered.bucket, now);
		if (answered.draw) return answered.draw;
	}
	throw new Error(`The account of the key did not decide in ${MAX_TRIES} answers.`);
}
