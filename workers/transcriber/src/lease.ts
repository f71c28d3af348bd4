/** A lease that was not renewed for this long belongs to nobody. */
export const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/** The work belongs to somebody else by now, or to nobody because the job has ended. */
export class LeaseLost extends Error {
	override readonly name = "LeaseLost";
}

/**
 * Does work while its lease is kept up.
 * @param renew extends the lease; false when it is not held any more, which aborts the work.
 * @throws LeaseLost
 */
export async function whileLeased<T>(
	renew: () => Promise<boolean>,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const beat = async () => {
		// A renewal that fails is no loss yet: the next one may come through before the lease runs out.
		const isHeld = await renew().catch(() => true);
		if (!isHeld) controller.abort(new LeaseLost());
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
