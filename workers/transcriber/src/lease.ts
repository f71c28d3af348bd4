/** Time without renewal after which a lease expires. */
export const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** Another worker holds the lease, or the job has ended. */
export class LeaseLost extends Error {
	override readonly name = "LeaseLost";
}

/**
 * Runs work and renews its lease meanwhile.
 * @param renew extends the lease. Returns false when it is lost, which aborts the work.
 * @throws LeaseLost
 */
export async function withLease<T>(
	renew: () => Promise<boolean>,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const beat = async () => {
		// A failed renewal loses nothing yet: the next one may succeed before the lease expires.
		const isLeased = await renew().catch(() => true);
		if (!isLeased) controller.abort(new LeaseLost());
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

export const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();
