import { expect, test, vi } from "vitest";

// Apart from the slots that other tests' deliveries may still have.
vi.resetModules();
const { acquireSlot } = await import("./slots.ts");

const taken = (slots: (unknown | undefined)[]) => slots.filter((seat) => seat !== undefined).length;
const take = (organisationId: string, count: number) =>
	Promise.all(Array.from({ length: count }, () => acquireSlot(organisationId)));
const leave = (slots: ((() => void) | undefined)[]) => {
	for (const seat of slots) seat?.();
};

test("an organisation gets some of the slots, however many it wants", async () => {
	const slow = await take("slow", 10);
	expect(taken(slow)).toBe(4);
	const other = await take("other", 1);
	expect(taken(other)).toBe(1);
	leave([...slow, ...other]);
});

test("all together get no more than an isolate can hold", async () => {
	const slots = (await Promise.all(["a", "b", "c", "d"].map((name) => take(name, 4)))).flat();
	expect(taken(slots)).toBe(12);
	leave(slots);
});

test("a seat that becomes free soon is waited for", async () => {
	const slots = await take("busy", 4);
	const next = acquireSlot("busy");
	await scheduler.wait(60);
	leave(slots.slice(0, 1));
	expect(await next).toBeDefined();
	leave([...slots.slice(1), await next]);
});
