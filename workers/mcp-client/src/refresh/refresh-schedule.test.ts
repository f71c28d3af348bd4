import fc from "fast-check";
import { expect, test } from "vitest";
import { CLOSED, FIRST_COOLDOWN_MS } from "./breaker.ts";
import { type Attempt, catchUpAt, firstRefreshAt, nextRefreshAt, windowMs } from "./refresh-schedule.ts";

const MINUTE = 60_000;
const attempt = (own: Partial<Attempt> = {}): Attempt => ({
	...{ now: 1_000_000, random: 0.5, ttlMs: undefined, isTransportFailure: false, retryAfterMs: undefined },
	breaker: CLOSED,
	...own,
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("a fresh list is refreshed at 80 to 90 % of its window", () => {
	fc.assert(
		fc.property(random, fc.option(fc.integer({ min: 1, max: 10 ** 10 }), { nil: undefined }), (r, ttlMs) => {
			const wait = nextRefreshAt(attempt({ random: r, ttlMs })) - 1_000_000;
			// Alarms are set to whole milliseconds.
			expect(wait).toBeGreaterThanOrEqual(Math.floor(0.8 * windowMs(ttlMs)));
			expect(wait).toBeLessThanOrEqual(Math.ceil(0.9 * windowMs(ttlMs)));
		}),
	);
});

test("the window is five minutes, or the server's TTL limited to 1 minute to 24 hours", () => {
	expect([undefined, 0, -1, 1, MINUTE, 10 * MINUTE, 10 ** 12].map((ttl) => windowMs(ttl) / MINUTE)).toEqual([
		5, 5, 5, 1, 1, 10, 1440,
	]);
});

test("a transport failure is retried soon, then at growing intervals", () => {
	const waits = [1, 2, 3, 4].map((failures) => {
		const at = nextRefreshAt(
			attempt({ random: 0, isTransportFailure: true, breaker: { state: "closed", failures } }),
		);
		return (at - 1_000_000) / 1000;
	});
	expect(waits).toEqual([24, 48, 96, 192]);
});

test("a refresh waits until an open breaker admits a probe", () => {
	fc.assert(
		fc.property(random, (r) => {
			const until = 1_000_000 + FIRST_COOLDOWN_MS;
			const at = nextRefreshAt(
				attempt({
					random: r,
					isTransportFailure: true,
					breaker: { state: "open", until, cooldownMs: FIRST_COOLDOWN_MS },
				}),
			);
			expect(at).toBeGreaterThanOrEqual(until);
			expect(at).toBeLessThanOrEqual(until + FIRST_COOLDOWN_MS / 10);
		}),
	);
});

test("a refresh honours the server's Retry-After up to one day", () => {
	expect(nextRefreshAt(attempt({ retryAfterMs: 20 * MINUTE })) - 1_000_000).toBe(20 * MINUTE);
	expect(nextRefreshAt(attempt({ retryAfterMs: 10 ** 12 })) - 1_000_000).toBe(1440 * MINUTE);
});

test("servers registered at a key's rate limit are refreshed at that rate in every minute", () => {
	const perMinute = new Map<number, number>();
	let seed = 7;
	const next = () => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return seed / 2 ** 31;
	};
	for (let server = 0; server < 1000; server++) {
		let now = (server / 30) * MINUTE;
		while (now < 180 * MINUTE) {
			now = nextRefreshAt(attempt({ now, random: next() }));
			const minute = Math.floor(now / MINUTE);
			if (minute >= 60) perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
		}
	}
	// 1,000 servers each about every 4.25 minutes make 235 a minute.
	expect(Math.max(...perMinute.values())).toBeLessThan(320);
});

test("first refreshes of stale lists are spread over five minutes, and fresh lists keep their time", () => {
	const now = 60 * MINUTE;
	const minutes = Array.from({ length: 1000 }, (_, i) =>
		Math.floor((firstRefreshAt(0, now, i / 1000) - now) / MINUTE),
	);
	for (const { length } of Map.groupBy(minutes, (minute) => minute).values())
		expect(length).toBeLessThanOrEqual(210);
	expect(firstRefreshAt(now - MINUTE, now, 0.5)).toBe(now - MINUTE + 0.85 * 5 * MINUTE);
});

test("alarms delayed by an outage are spread over five minutes", () => {
	expect(catchUpAt(0, MINUTE, 0.5)).toBeUndefined();
	const minutes = Array.from({ length: 1000 }, (_, i) =>
		Math.floor((catchUpAt(0, 60 * MINUTE, i / 1000) ?? 0) / MINUTE),
	);
	const counts = Map.groupBy(minutes, (minute) => minute);
	expect(Math.max(...Array.from(counts.values(), ({ length }) => length))).toBeLessThanOrEqual(210);
});
