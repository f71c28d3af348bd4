/** Deliveries that an isolate sends at once. Each holds a body of a few megabytes at most. */
const MAX_AT_ONCE = 12;
/** Deliveries of one organisation at once, so that slow receivers delay only their own organisation. */
const MAX_PER_ORGANISATION = 4;
/** Longest wait for a slot. */
const MAX_WAIT_MS = 500;
const POLL_MS = 20;

const taken = new Map<string, number>();
let all = 0;

/** Acquires a slot for a delivery. Returns the function that releases it, or undefined when none became free in time. */
export async function acquireSlot(organisationId: string): Promise<(() => void) | undefined> {
	const isFull = () => all >= MAX_AT_ONCE || (taken.get(organisationId) ?? 0) >= MAX_PER_ORGANISATION;
	// Polled: workerd does not let a request await a promise that another request settles.
	for (let waitedMs = 0; isFull(); waitedMs += POLL_MS) {
		if (waitedMs >= MAX_WAIT_MS) return undefined;
		await scheduler.wait(POLL_MS);
	}
	count(organisationId, 1);
	return () => count(organisationId, -1);
}

function count(organisationId: string, change: 1 | -1): void {
	const own = (taken.get(organisationId) ?? 0) + change;
	if (own > 0) taken.set(organisationId, own);
	else taken.delete(organisationId);
	all += change;
}
