import fc from "fast-check";
import { expect, test } from "vitest";
import {
	applyGrant,
	decide,
	emptyPool,
	grantSlots,
	returnSlots,
	SLOT_LEASE_MS,
	type SlotTable,
} from "./slot-lease.ts";

const LIMIT = 8;

test("a holder gets what it wants as far as the others leave it", () => {
	const first = grantSlots({}, { holder: "a", ask: 1, want: 5, limit: LIMIT }, 0);
	expect(first.grant.slots).toBe(5);
	const second = grantSlots(first.table, { holder: "b", ask: 1, want: 5, limit: LIMIT }, 1);
	expect(second.grant.slots).toBe(3);
	const afterwards = grantSlots(second.table, { holder: "a", ask: 2, want: 1, limit: LIMIT }, 2);
	expect(grantSlots(afterwards.table, { holder: "b", ask: 2, want: 9, limit: LIMIT }, 3).grant.slots).toBe(7);
});

test("slots of a holder that is gone are free again when its lease expires", () => {
	const { table } = grantSlots({}, { holder: "gone", ask: 1, want: LIMIT, limit: LIMIT }, 0);
	const ask = { holder: "b", ask: 1, want: 2, limit: LIMIT };
	expect(grantSlots(table, ask, SLOT_LEASE_MS - 1).grant.slots).toBe(0);
	expect(grantSlots(table, ask, SLOT_LEASE_MS).grant.slots).toBe(2);
});

test("an older message that arrives late changes nothing", () => {
	const { table } = grantSlots({}, { holder: "a", ask: 2, want: 6, limit: LIMIT }, 0);
	const late = grantSlots(table, { holder: "a", ask: 1, want: 1, limit: LIMIT }, 1);
	expect([late.grant.slots, late.table]).toEqual([6, table]);
});

test("however isolates ask, release and overtake each other, no more calls run than the limit", () => {
	const step = fc.record({
		isolate: fc.integer({ min: 0, max: 2 }),
		action: fc.constantFrom("call", "end", "deliver", "answer"),
		pick: fc.nat(),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
			let table: SlotTable = {};
			const pools = [emptyPool(), emptyPool(), emptyPool()];
			const sent: { isolate: number; ask: number; want: number; waits: boolean }[] = [];
			const answers: { isolate: number; grant: { slots: number; ask: number }; waits: boolean }[] = [];
			const send = (isolate: number, want: number, waits: boolean) => {
				const pool = pools[isolate]!;
				pool.asked++;
				sent.push({ isolate, ask: pool.asked, want, waits });
			};
			for (const { isolate, action, pick } of steps) {
				const pool = pools[isolate]!;
				if (action === "call") {
					const decision = decide(pool, LIMIT, 0);
					if (decision === "take") pool.used++;
					if (decision === "ask") {
						pool.asking++;
						send(isolate, pool.used + pool.asking, true);
					}
				} else if (action === "end" && pool.used > 0) {
					pool.used--;
					const want = returnSlots(pool);
					if (want !== undefined) send(isolate, want, false);
				} else if (action === "deliver" && sent.length > 0) {
					const [message] = sent.splice(pick % sent.length, 1);
					const given = grantSlots(table, { holder: String(message!.isolate), limit: LIMIT, ...message! }, 0);
					table = given.table;
					answers.push({ isolate: message!.isolate, grant: given.grant, waits: message!.waits });
				} else if (action === "answer" && answers.length > 0) {
					const [answer] = answers.splice(pick % answers.length, 1);
					const own = pools[answer!.isolate]!;
					applyGrant(own, answer!.grant, 0);
					if (answer!.waits) {
						own.asking--;
						if (own.used < own.slots) own.used++;
					}
				}
				const running = pools.reduce((sum, { used }) => sum + used, 0);
				expect(running).toBeLessThanOrEqual(LIMIT);
			}
		}),
		{ numRuns: 500 },
	);
});
