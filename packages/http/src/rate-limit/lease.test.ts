import fc from "fast-check";
import { expect, test } from "vitest";
import {
	type Bucket,
	type Draw,
	drawFrom,
	drawFromLease,
	grantLease,
	type Pool,
	WINDOW_MS,
	wantedTokens,
} from "./lease.ts";

type Question = { isolate: number; sentAt: number; want: number };
type Answer = Question & { lease: ReturnType<typeof grantLease>["lease"]; at: number };
/** A decision about one request: the window that it belongs to, and when it was made by the object's clock. */
type Decision = { window: number; at: number };

/** Isolates with clocks of their own, one object, and messages that wait, overtake each other and arrive when they like. */
function simulate(limit: number, skews: number[]) {
	let now = 1_000_000;
	let pool: Pool | undefined;
	const buckets: (Bucket | undefined)[] = skews.map(() => undefined);
	const questions: Question[] = [];
	const answers: Answer[] = [];
	const admitted: Decision[] = [];
	const refused: Decision[] = [];
	const given = new Map<number, number>();
	const clock = (isolate: number) => now + (skews[isolate] ?? 0);
	const decide = (draw: Draw, decision: Decision) => (draw.admitted ? admitted : refused).push(decision);

	function request(isolate: number): void {
		const held = buckets[isolate];
		if (held) {
			const { bucket, draw } = drawFrom(held, clock(isolate));
			buckets[isolate] = bucket;
			if (draw) {
				decide(draw, { window: bucket.window, at: now });
				return;
			}
		}
		questions.push({ isolate, sentAt: clock(isolate), want: wantedTokens(held, limit, clock(isolate)) });
	}
	function reachObject(question: Question): void {
		const granted = grantLease(pool, { rateClass: "read", limit, want: question.want }, now);
		pool = granted.pool;
		given.set(pool.endsAt, pool.used);
		answers.push({ ...question, lease: granted.lease, at: now });
	}
	function reachIsolate({ isolate, lease, sentAt, want, at }: Answer): void {
		const { bucket, draw } = drawFromLease(buckets[isolate], lease, sentAt, want);
		buckets[isolate] = bucket;
		if (draw) decide(draw, { window: lease.window, at });
		else request(isolate);
	}
	return {
		admitted,
		refused,
		given,
		step(kind: number, choice: number): void {
			const take = <T>(list: T[]): T | undefined => list.splice(choice % Math.max(1, list.length), 1)[0];
			const question = kind === 1 ? take(questions) : undefined;
			const answer = kind === 2 ? take(answers) : undefined;
			if (question) reachObject(question);
			else if (answer) reachIsolate(answer);
			else if (kind === 3) now += choice * 40;
			else request(choice % skews.length);
		},
	};
}

test("a window admits up to its limit until its end and refuses only what is over it, whatever the delays and clocks", () => {
	const steps = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 1, 2, 2, 3), fc.nat(1000)), {
		maxLength: 1500,
	});
	const skews = fc.array(fc.integer({ min: -90_000, max: 90_000 }), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 200 }), skews, steps, (limit, offsets, schedule) => {
			const { admitted, refused, given, step } = simulate(limit, offsets);
			for (const [kind, choice] of schedule) step(kind, choice);
			for (const { window, at } of [...admitted, ...refused]) expect(at).toBeLessThanOrEqual(window);
			for (const { window } of refused) expect(given.get(window)).toBe(limit);
			const perWindow = Map.groupBy(admitted, ({ window }) => window);
			for (const [, draws] of perWindow) expect(draws.length).toBeLessThanOrEqual(limit);
		}),
		{ numRuns: 300 },
	);
});

/** A lone isolate whose object answers at once, sending one request after another. */
function sendAll(limit: number, requests: number, everyMs = 0) {
	let bucket: Bucket | undefined;
	let pool: Pool | undefined;
	let asked = 0;
	const draws = [];
	for (let now = 0; draws.length < requests; ) {
		let result = bucket && drawFrom(bucket, now);
		if (!result?.draw) {
			const want = wantedTokens(bucket, limit, now);
			const granted = grantLease(pool, { rateClass: "read", limit, want }, now);
			pool = granted.pool;
			asked += 1;
			result = drawFromLease(bucket, granted.lease, now, want);
		}
		bucket = result.bucket;
		if (!result.draw) continue;
		draws.push(result.draw);
		now += everyMs;
	}
	return { draws, asked };
}

test("a lone isolate admits exactly the limit and counts down to it one by one", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 300 }), (limit) => {
			const { draws } = sendAll(limit, limit + 5);
			draws.forEach(({ admitted, remaining }, index) => {
				expect(admitted).toBe(index < limit);
				expect(remaining).toBe(Math.max(0, limit - 1 - index));
			});
		}),
	);
});

test("a window later the whole budget is there again", () => {
	const { draws } = sendAll(10, 30, WINDOW_MS / 12);
	expect(draws.filter(({ admitted }) => admitted)).toHaveLength(26);
	expect(draws[12]).toMatchObject({ admitted: true, remaining: 9 });
});

test("the object is asked rarely while much is left, and not at all once nothing is", () => {
	expect(sendAll(60_000, 30_000).asked).toBeLessThan(20);
	expect(sendAll(60_000, 60_000).asked).toBeLessThan(120);
	expect(sendAll(60_000, 90_000).asked).toBe(sendAll(60_000, 60_001).asked);
});
