import { expect, test } from "vitest";
import { SandboxOverloaded, takePlace } from "./places.ts";

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
