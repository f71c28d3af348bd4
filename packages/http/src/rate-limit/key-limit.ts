import { KeyCache } from "@parley/auth/key-cache";
import type { RateClass } from "../route.ts";
import {
	type Ask,
	addLease,
	type Bucket,
	type Draw,
	drawFrom,
	type Lease,
	WINDOW_MS,
	wantedTokens,
} from "./lease.ts";

export type KeyLimitContext = {
	/** Asks the account of the key; in production its Durable Object. */
	ask: (ask: Ask) => Promise<Lease>;
	clock: () => Date;
	/** One map an isolate; tests pass their own. */
	buckets?: KeyCache<Bucket>;
};

const MAX_TRIES = 4;

const isolateBuckets = new KeyCache<Bucket>(20_000, WINDOW_MS);

/** One request's draw on its key's budget. Nearly always from what the isolate holds; else the account is asked. */
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
		if (held) {
			const { bucket, draw } = drawFrom(held, now);
			buckets.set(name, bucket, now);
			if (draw) return draw;
		}
		const want = wantedTokens(held, limit, now);
		const lease = await ctx.ask({ rateClass, limit, want });
		// Others may have drawn in between: the lease is added to what the isolate holds now.
		const current = buckets.get(name, ctx.clock().getTime());
		buckets.set(name, addLease(current, lease, now, want), now);
	}
	return { admitted: false, remaining: 0, resetMs: 1_000 };
}
