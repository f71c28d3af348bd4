import { expect, test } from "vitest";
import { nextAttempt } from "./schedule.ts";

const startedAt = new Date("2026-11-20T12:00:00.000Z");
const failed = { startedAt, now: startedAt, retryAfterMs: undefined, random: 0 };
const secondsUntil = (next: Date) => (next.getTime() - startedAt.getTime()) / 1000;

test("tries are at 0 s, 30 s, 2 min, 10 min, 1 h and 6 h", () => {
	let at = startedAt;
	const tries = [5, 4, 3, 2, 1].map((triesLeft) => {
		at = nextAttempt({ ...failed, triesLeft, startedAt: at, now: at });
		return secondsUntil(at);
	});
	expect(tries).toEqual([30, 120, 600, 3600, 21_600]);
});

test("pauses grow by a tenth at most, and never shrink", () => {
	expect(secondsUntil(nextAttempt({ ...failed, triesLeft: 5, random: 0.999 }))).toBeCloseTo(33, 1);
});

test("a host that asks for more gets more, within six hours", () => {
	const asking = (retryAfterMs: number) =>
		secondsUntil(nextAttempt({ ...failed, triesLeft: 5, retryAfterMs }));
	expect(asking(5_000)).toBe(30);
	expect(asking(90_000)).toBe(90);
	expect(asking(1e12)).toBe(21_600);
});
