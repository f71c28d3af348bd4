import { KeyCache } from "@parley/auth/key-cache";
import { ApiError } from "@parley/contracts/shared/api-error";

const WINDOW_MS = 60_000;
const MAX_FAILURES_PER_MINUTE = 10;

/** Sign-ins of this isolate by address: failed ones, and those under way. */
const failures = new KeyCache<{ count: number; endsAt: number }>(20_000, WINDOW_MS);

/**
 * Runs a sign-in from an address that has failed at most ten times within a minute.
 * @throws ApiError RATE_LIMITED
 */
export async function limitFailures<T>(
	address: string,
	clock: () => Date,
	signIn: () => Promise<T>,
): Promise<T> {
	const now = clock().getTime();
	const counted = failures.get(address, now);
	const failed = counted && counted.endsAt > now ? counted : { count: 0, endsAt: now + WINDOW_MS };
	if (failed.count >= MAX_FAILURES_PER_MINUTE) {
		const headers = { "retry-after": String(Math.ceil((failed.endsAt - now) / 1000)) };
		throw new ApiError("RATE_LIMITED", "Too many failed sign-ins. Try again in a minute.", { headers });
	}
	// Counted before it is tried: many at once are no way around the limit.
	failed.count += 1;
	failures.set(address, failed, now);
	try {
		const result = await signIn();
		failed.count -= 1;
		return result;
	} catch (error) {
		if (!(error instanceof ApiError)) failed.count -= 1;
		throw error;
	}
}
