import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LEASE_MS, LeaseLost, withLease } from "./lease.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** Work that goes on until it is done from outside or aborted. */
function openWork() {
	const done = Promise.withResolvers<string>();
	const work = (signal: AbortSignal) => {
		signal.addEventListener("abort", () => done.reject(new Error("stopped")));
		return done.promise;
	};
	return { work, finish: done.resolve };
}

test("a lease is renewed while the work goes on, and no longer", async () => {
	const renew = vi.fn(async () => true);
	const { work, finish } = openWork();
	const result = withLease(renew, work);
	await vi.advanceTimersByTimeAsync(25_000);
	expect(renew).toHaveBeenCalledTimes(2);
	finish("done");
	expect(await result).toBe("done");
	await vi.advanceTimersByTimeAsync(60_000);
	expect(renew).toHaveBeenCalledTimes(2);
});

test("short work writes no lease", async () => {
	const renew = vi.fn(async () => true);
	expect(await withLease(renew, async () => 1)).toBe(1);
	expect(renew).not.toHaveBeenCalled();
});

test("work whose lease is lost is stopped", async () => {
	const result = withLease(async () => false, openWork().work);
	const refused = expect(result).rejects.toBeInstanceOf(LeaseLost);
	await vi.advanceTimersByTimeAsync(10_000);
	await refused;
});

test("a renewal that fails is not a loss", async () => {
	const { work, finish } = openWork();
	const result = withLease(() => Promise.reject(new Error("database away")), work);
	await vi.advanceTimersByTimeAsync(20_000);
	finish("done");
	expect(await result).toBe("done");
});

test("the work's own error comes through", async () => {
	await expect(
		withLease(
			async () => true,
			() => Promise.reject(new Error("broken")),
		),
	).rejects.toThrow("broken");
});

test("a lease is renewed three times before it would expire, as long as the work is running", async () => {
	const work = Promise.withResolvers<string>();
	const renew = vi.fn(async () => {});
	const result = withLease(renew, () => work.promise);
	await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
	expect(renew).toHaveBeenCalledTimes(2);
	await vi.advanceTimersByTimeAsync(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(5);
	work.resolve("done");
	expect(await result).toBe("done");
	await vi.advanceTimersByTimeAsync(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(5);
});

test("a failed renewal does not disturb the work, and failed work ends the renewals", async () => {
	const work = Promise.withResolvers<never>();
	const renew = vi.fn(() => Promise.reject(new Error("no database")));
	const result = withLease(renew, () => work.promise);
	await vi.advanceTimersByTimeAsync(LEASE_MS);
	work.reject(new Error("of the work"));
	await expect(result).rejects.toThrow("of the work");
	await vi.advanceTimersByTimeAsync(LEASE_MS);
	expect(renew).toHaveBeenCalledTimes(3);
});
