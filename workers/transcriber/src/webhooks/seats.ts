/** Deliveries that an isolate sends at once; each holds a body of a few megabytes at most. */
const MAX_AT_ONCE = 12;
/** Of one organisation: receivers that are slow must leave room for those of others. */
const MAX_OF_ONE = 4;
/** A receiver that is well makes room within this time. */
const PATIENCE_MS = 500;
const LOOK_AGAIN_MS = 20;

const taken = new Map<string, number>();
let all = 0;

/** Takes a seat for a delivery. @returns what gives it back; undefined when none was free in time. */
export async function takeSeat(organisationId: string): Promise<(() => void) | undefined> {
	const isFull = () => all >= MAX_AT_ONCE || (taken.get(organisationId) ?? 0) >= MAX_OF_ONE;
	// Polled: other requests make the room, and a promise that another request settles is not to be relied on.
	for (let waitedMs = 0; isFull(); waitedMs += LOOK_AGAIN_MS) {
		if (waitedMs >= PATIENCE_MS) return undefined;
		await scheduler.wait(LOOK_AGAIN_MS);
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
