/** What holds something is believed dead after this; a living one says so three times as often. */
export const LEASE_MS = 30_000;

/** Until when a lease that is taken or prolonged now is good. */
export const leaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/** Prolongs a lease while some work goes on. A renewal that fails leaves it to the next one. */
export async function keptAlive<T>(prolong: () => PromiseLike<unknown>, work: () => Promise<T>): Promise<T> {
	const heartbeat = setInterval(() => void prolong().then(undefined, () => {}), LEASE_MS / 3);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
	}
}
