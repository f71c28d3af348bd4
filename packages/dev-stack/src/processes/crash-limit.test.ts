import { expect, test } from "vitest";
import { createCrashLimit } from "./crash-limit.ts";

test("a process that crashes ten times within a minute is not started again", () => {
	let now = 0;
	const isCrashing = createCrashLimit(() => now);
	const crashEvery = (ms: number) =>
		Array.from({ length: 10 }, () => {
			now += ms;
			return isCrashing("workers");
		});
	expect(crashEvery(7000)).toEqual(Array(10).fill(false));
	now += 60_000;
	expect(crashEvery(6000)).toEqual([...Array(9).fill(false), true]);
	expect(isCrashing("speech")).toBe(false);
});
