const DAY_MS = 24 * 3_600_000;

/**
 * Returns the columns that every end of a job sets beside its status: the lease and the retries are cleared, and the files
 * expire when the retention ends.
 */
export function endOfJob(now: Date, retentionDays: number) {
	const at = now.toISOString();
	const expiresAt = new Date(now.getTime() + retentionDays * DAY_MS).toISOString();
	const cleared = { leaseToken: null, leaseUntil: null, retries: null };
	return { completedAt: at, updatedAt: at, expiresAt, wakeAt: expiresAt, inputUrl: null, ...cleared };
}
