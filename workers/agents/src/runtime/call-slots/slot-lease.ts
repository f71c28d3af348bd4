/** Time for which an isolate holds slots that it does not renew. */
export const SLOT_LEASE_MS = 15_000;
/** An isolate keeps this many slots that it does not use, so that the next call need not ask. */
const SPARE_SLOTS = 1;

/** Slots of one agent that isolates hold, by holder. Times are the object's. */
export type SlotTable = Record<string, { slots: number; until: number; ask: number }>;

/** `ask` numbers what one holder asks. Messages may overtake each other, and an older one changes nothing. */
export type SlotAsk = { holder: string; ask: number; want: number; limit: number };
export type SlotGrant = { slots: number; ask: number };

/** The object's rule: a holder gets what it wants as far as the others leave it. */
export function grantSlots(
	table: SlotTable,
	{ holder, ask, want, limit }: SlotAsk,
	now: number,
): { table: SlotTable; grant: SlotGrant } {
	const held = table[holder];
	if (held && held.until > now && held.ask > ask) return { table, grant: held };
	const others = Object.entries(table).filter(([name, { until }]) => name !== holder && until > now);
	const taken = others.reduce((sum, [, { slots }]) => sum + slots, 0);
	const slots = Math.max(0, Math.min(want, limit - taken));
	const own = { slots, until: now + SLOT_LEASE_MS, ask };
	return { table: { ...Object.fromEntries(others), [holder]: own }, grant: own };
}

/** What an isolate holds of one agent. Times are the isolate's. */
export type SlotPool = {
	slots: number;
	used: number;
	/** Requests that wait for an answer of the object. */
	asking: number;
	until: number;
	/** Numbers of the last ask, and of the newest one that was answered. */
	asked: number;
	answered: number;
	/** The last ask that gave slots back. Answers to earlier ones may not bring them back. */
	returned: { ask: number; keep: number };
};

export const emptyPool = (): SlotPool => ({
	...{ slots: 0, used: 0, asking: 0, until: 0 },
	...{ asked: 0, answered: 0, returned: { ask: 0, keep: 0 } },
});

/** Decides a request for a slot from what the isolate holds: take one, ask the object, or refuse. */
export function decide(pool: SlotPool, limit: number, now: number): "take" | "ask" | "refuse" {
	if (pool.until > now && pool.used < pool.slots) return "take";
	return pool.used + pool.asking < limit ? "ask" : "refuse";
}

/**
 * Gives slots back that the isolate no longer needs.
 * @returns how many it wants to keep in all; undefined if it holds no more than it may
 */
export function returnSlots(pool: SlotPool): number | undefined {
	if (pool.slots <= pool.used + SPARE_SLOTS) return undefined;
	pool.slots = pool.used + SPARE_SLOTS;
	pool.returned = { ask: pool.asked + 1, keep: pool.slots };
	return pool.slots + pool.asking;
}

/** Notes an answer, unless a newer one came before it. */
export function applyGrant(pool: SlotPool, grant: SlotGrant, askedAt: number): void {
	if (grant.ask < pool.answered) return;
	pool.answered = grant.ask;
	pool.slots = grant.ask < pool.returned.ask ? Math.min(grant.slots, pool.returned.keep) : grant.slots;
	pool.until = askedAt + SLOT_LEASE_MS;
}
