import { expect, test, vi } from "vitest";

// Apart from the memory that other tests' chunks may still hold.
vi.resetModules();
const { withinMemory } = await import("./memory.ts");

const MIB = 1024 * 1024;
const { signal } = new AbortController();

/** Starts work of this size that ends when told. */
function hold(bytes: number) {
	const done = Promise.withResolvers<void>();
	let started = false;
	const result = withinMemory(bytes, signal, () => {
		started = true;
		return done.promise;
	});
	return { isStarted: () => started, end: done.resolve, result };
}

test("chunks wait until there is room for them", async () => {
	const [first, second, third] = [hold(20 * MIB), hold(12 * MIB), hold(1)];
	expect([first.isStarted(), second.isStarted(), third.isStarted()]).toEqual([true, true, false]);
	second.end();
	await expect.poll(third.isStarted).toBe(true);
	first.end();
	third.end();
	await Promise.all([first.result, second.result, third.result]);
});

test("a chunk larger than the room goes alone", async () => {
	const [small, huge] = [hold(MIB), hold(100 * MIB)];
	expect(huge.isStarted()).toBe(false);
	small.end();
	await expect.poll(huge.isStarted).toBe(true);
	const next = hold(1);
	expect(next.isStarted()).toBe(false);
	huge.end();
	await expect.poll(next.isStarted).toBe(true);
	next.end();
	await Promise.all([small.result, huge.result, next.result]);
});

test("work that fails gives its room back, and waiting ends with the lease", async () => {
	await expect(withinMemory(100 * MIB, signal, () => Promise.reject(new Error("broken")))).rejects.toThrow(
		"broken",
	);
	const holder = hold(100 * MIB);
	const controller = new AbortController();
	const waiting = withinMemory(1, controller.signal, async () => "never");
	controller.abort(new Error("lease lost"));
	await expect(waiting).rejects.toThrow("lease lost");
	holder.end();
	await holder.result;
	expect(await withinMemory(1, signal, async () => "room again")).toBe("room again");
});
