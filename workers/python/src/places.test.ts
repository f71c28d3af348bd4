import { expect, test } from "vitest";
import { SandboxOverloaded, takePlace, takeSparePlace } from "./places.ts";

test("as many places as allowed are taken, and a left one can be taken again", () => {
	const [first, second] = [takePlace(2), takePlace(2)];
	expect(() => takePlace(2)).toThrow(SandboxOverloaded);
	first();
	first();
	const third = takePlace(2);
	expect(() => takePlace(2)).toThrow(SandboxOverloaded);
	second();
	third();
});

test("spares take places that runs leave free, and the oldest gives way", () => {
	const dropped: number[] = [];
	const spare = (id: number) => takeSparePlace({ max: 8, maxSpares: 3 }, () => dropped.push(id));
	const spares = [spare(1), spare(2), spare(3)];
	expect(spares.every(Boolean)).toBe(true);
	expect(spare(4)).toBeUndefined();
	const runs = Array.from({ length: 7 }, () => takePlace(8));
	expect(dropped).toEqual([1, 2]);
	runs.push(takePlace(8));
	expect(dropped).toEqual([1, 2, 3]);
	expect(() => takePlace(8)).toThrow(SandboxOverloaded);
	for (const leave of runs.splice(2)) leave();
	// Two of eight places are a quarter.
	expect(spare(5)).toBeUndefined();
	runs.pop()?.();
	spare(6)?.();
	expect(spare(7)).toBeDefined();
	runs.pop()?.();
});
