import { afterEach, expect, test, vi } from "vitest";
import { keptAlive, LEASE_MS } from "./keep-alive.ts";

afterEach(() => {
	vi.useRealTimers();
});

test("a lease is prolonged three times before it would end, as long as the work goes on", async () => {
	vi.useFakeTimers();
	const work = Promise.withResolvers<string>();
	const prolong = vi.fn(async () => {});
	const kept = keptAlive(prolong, () => work.promise);
	vi.advanceTimersByTime(LEASE_MS - 1);
	expect(prolong).toHaveBeenCalledTimes(2);
	vi.advanceTimersByTime(LEASE_MS);
	expect(prolong).toHaveBeenCalledTimes(5);
	work.resolve("done");
	expect(await kept).toBe("done");
	vi.advanceTimersByTime(LEASE_MS);
	expect(prolong).toHaveBeenCalledTimes(5);
});

test("a renewal that fails does not disturb the work, and work that fails ends the renewals", async () => {
	vi.useFakeTimers();
	const work = Promise.withResolvers<never>();
	const prolong = vi.fn(() => Promise.reject(new Error("no database")));
	const kept = keptAlive(prolong, () => work.promise);
	vi.advanceTimersByTime(LEASE_MS);
	work.reject(new Error("of the work"));
	await expect(kept).rejects.toThrow("of the work");
	vi.advanceTimersByTime(LEASE_MS);
	expect(prolong).toHaveBeenCalledTimes(3);
});
