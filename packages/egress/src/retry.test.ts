import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoffMs, isRetryableStatus, parseRetryAfter } from "./retry.ts";

describe("backoff", () => {
	test("doubles its ceiling up to the maximum", () => {
		const ceilings = [1, 2, 3, 4, 5, 60].map((attempt) =>
			backoffMs(attempt, { baseMs: 100, maxMs: 1_000, random: () => 0.9999999 }),
		);
		expect(ceilings).toEqual([100, 200, 400, 800, 1_000, 1_000]);
	});

	test("is half of its ceiling at least", () => {
		const least = [1, 2, 3].map((attempt) => backoffMs(attempt, { baseMs: 100, random: () => 0 }));
		expect(least).toEqual([50, 100, 200]);
	});

	test("stays between nothing and its ceiling, and is never less than the host asked for", () => {
		const attempts = fc.integer({ min: 1, max: 2_000 });
		const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(
				attempts,
				randoms,
				fc.option(fc.nat(100_000), { nil: undefined }),
				(attempt, random, asked) => {
					const wait = backoffMs(attempt, { retryAfterMs: asked, random: () => random });
					expect(wait).toBeGreaterThanOrEqual(asked ?? 0);
					expect(wait).toBeLessThanOrEqual(Math.max(30_000, asked ?? 0));
				},
			),
		);
	});
});

describe("Retry-After", () => {
	const now = new Date("1994-11-06T08:49:00.000Z");

	test.each([
		["0", 0],
		["120", 120_000],
		[" 7 ", 7_000],
		["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
		["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
		["Sun Nov  6 08:49:37 1994", 37_000],
		["Sun, 06 Nov 1994 08:00:00 GMT", 0],
	])("%s is understood", (value, expected) => {
		expect(parseRetryAfter(value, now)).toBe(expected);
	});

	test.each([
		null,
		undefined,
		"",
		"soon",
		"-1",
		"1.5",
		"1e3",
		"0x10",
		"9999999999",
		"1994-11-06",
		"Sun, 99 Xxx 1994 08:49:37 GMT",
	])("%s is not", (value) => {
		expect(parseRetryAfter(value, now)).toBeUndefined();
	});

	test("any HTTP date ahead is the time until then", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
				const at = new Date(now.getTime() + seconds * 1_000);
				expect(parseRetryAfter(at.toUTCString(), now)).toBe(seconds * 1_000);
			}),
		);
	});
});

test("overload and outage may pass, a refusal stays one", () => {
	expect([408, 425, 429, 500, 502, 503, 504].every(isRetryableStatus)).toBe(true);
	expect([200, 301, 400, 401, 403, 404, 409, 422, 501].some(isRetryableStatus)).toBe(false);
});
