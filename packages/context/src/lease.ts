/** Time without renewal after which a lease expires. */
export const LEASE_MS = 30_000;
const RENEW_MS = LEASE_MS / 3;

/** Another holder has the lease, or what it was for has ended. */
export class LeaseLost extends Error {
	override readonly name = "LeaseLost";
}

/**
 * Runs work and renews its lease meanwhile.
 * @param renew extends the lease. Resolving to false says that it is lost, which aborts the work.
 * @throws LeaseLost, and every error of the work.
 */
export async function withLease<T>(
	renew: () => PromiseLike<unknown>,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const beat = async () => {
		try {
			if ((await renew()) === false) controller.abort(new LeaseLost());
		} catch {
			// A failed renewal loses nothing yet: the next one may succeed before the lease expires.
		}
	};
	const timer = setInterval(() => void beat(), RENEW_MS);
	try {
		return await work(controller.signal);
	} catch (error) {
		throw controller.signal.aborted ? controller.signal.reason : error;
	} finally {
		clearInterval(timer);
	}
}

/** Returns when a lease expires that is taken or renewed now. */
export const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();
