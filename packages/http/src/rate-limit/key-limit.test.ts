import { KeyCache } from "@parley/auth/key-cache";
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawForKey } from "./key-limit.ts";
import { type Ask, type Bucket, grantLease, type Pool, WINDOW_MS } from "./lease.ts";

const START = 1_000_000;

/** One isolate and its account on another machine: the clocks differ, and each question and answer takes its time. */
function createAccount({ skewMs, latenciesMs }: { skewMs: number; latenciesMs: number[] }) {
	let now = START;
	let pool: Pool | undefined;
	let messages = 0;
	const travel = () => {
		now += latenciesMs[messages++ % latenciesMs.length] ?? 0;
	};
	const ask = async (question: Ask) => {
		travel();
		const granted = grantLease(pool, question, now);
		pool = granted.pool;
		travel();
		return granted.lease;
	};
	const clock = () => new Date(now + skewMs);
	const ctx = { ask, clock, buckets: new KeyCache<Bucket>(10, WINDOW_MS) };
	return {
		draw: (limit: number) => drawForKey(ctx, "key", "read", limit),
		wait: (ms: number) => {
			now += ms;
		},
	};
}

test("a key within its budget is admitted while the isolate's window has ended and the account's has not", async () => {
	// The first question takes 40 ms, so the isolate assumes that the window ends 40 ms before it does.
	const account = createAccount({ skewMs: 0, latenciesMs: [40, ...Array<number>(10_000).fill(1)] });
	for (let sent = 0; sent < 30_000; sent++) {
		expect(await account.draw(1_000_000)).toMatchObject({ admitted: true });
		account.wait(5);
	}
});

test("a key that never sends more than its limit in any minute is never refused, whatever the clocks and delays", async () => {
	const latency = fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, fc.nat(300));
	const pause = fc.oneof(fc.nat(20), fc.integer({ min: 59_500, max: 60_000 }));
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: -3_600_000, max: 3_600_000 }),
			fc.array(latency, { minLength: 1, maxLength: 50 }),
			fc.array(pause, { minLength: 1, maxLength: 400 }),
			fc.integer({ min: 1, max: 200 }),
			async (skewMs, latenciesMs, pauses, limit) => {
				const account = createAccount({ skewMs, latenciesMs });
				const minute = WINDOW_MS + 2 * Math.max(...latenciesMs);
				let sent = 0;
				for (const pause of pauses) {
					if (sent === limit) account.wait(minute);
					sent = sent === limit ? 0 : sent;
					expect(await account.draw(limit)).toMatchObject({ admitted: true });
					sent += 1;
					account.wait(pause);
				}
			},
		),
		{ numRuns: 500 },
	);
});
