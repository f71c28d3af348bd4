import { afterEach, expect, test, vi } from "vitest";
import { LEASE_MS, withLease } from "./sandbox.ts";

afterEach(() => {
	vi.useRealTimers();
});

test("a lease is renewed three times before it would expire, as long as the work is running", async () => {
	vi.useFakeTimers();
	const work = Promise.withResolvers<string>();
	const renew = vi.fn(async () => {});
	const result = withLease(renew, () => work.promise);
	vi.advanceTimersByTime(LEASE_MS - 1);
	expect(renew).toHaveBeenCalledTimes(2);
	vi.advanceTimersByTime(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(5);
	work.resolve("done");
	expect(await result).toBe("done");
	vi.advanceTimersByTime(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(5);
});

test("a failed renewal does not disturb the work, and failed work ends the renewals", async () => {
	vi.useFakeTimers();
	const work = Promise.withResolvers<never>();
	const renew = vi.fn(() => Promise.reject(new Error("no database")));
	const result = withLease(renew, () => work.promise);
	vi.advanceTimersByTime(LEASE_MS);
	work.reject(new Error("of the work"));
	await expect(result).rejects.toThrow("of the work");
	vi.advanceTimersByTime(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(3);
});
