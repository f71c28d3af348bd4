import { expect, test } from "vitest";
import { parsePins } from "./pins.ts";
import { unmetRequirements } from "./unmet.ts";

/** Requirements of packages by pin. */
const unmet = (packages: Record<string, string[]>) =>
	unmetRequirements(
		parsePins(Object.keys(packages)).pins.map((pin) => ({
			pin,
			contents: { requirements: packages[pin.text] ?? [] },
		})),
		"3.14.2",
	);

test("requirements that pins meet are no news", () => {
	expect(unmet({ "a==1": ["b>=1", "c; sys_platform == 'win32'"], "b==2": ["a<2"] })).toEqual([]);
});

test("several requirements on one missing package are one entry", () => {
	expect(unmet({ "a==1": ["c>=1", "c>=1"], "b==2": ["c<3"] })).toEqual([
		{ name: "c", specifier: ">=1,<3", neededBy: ["a==1", "b==2"], pinned: null },
	]);
});

test("a pin in the way is named with those whom it does not suit", () => {
	expect(unmet({ "a==1": ["c>=3"], "b==2": ["c"], "c==2": [] })).toEqual([
		{ name: "c", specifier: ">=3", neededBy: ["a==1"], pinned: "c==2" },
	]);
});

test("extras that a requirement asks for bring their requirements, in circles too", () => {
	expect(unmet({ "a==1": ["b[x]"], "b==2": ["c; extra == 'x'", "a[y]; extra == 'x'"], "c==1": [] })).toEqual(
		[],
	);
	expect(unmet({ "a==1": ["b[x]", "d; extra == 'y'"], "b==2": ["a[y]; extra == 'x'"] })).toMatchObject([
		{ name: "d", neededBy: ["a==1"] },
	]);
});

test("more requirements than can be read in a moment are refused", () => {
	const numbers = Array.from({ length: 20_000 }, (_, n) => n);
	const tooMany = { code: "DEPENDENCY_LIMIT", dependency: "a==1" };
	const started = performance.now();
	expect(unmet({ "a==1": numbers.map((n) => `b>=${n}`) })).toMatchObject(tooMany);
	const extras = numbers.slice(0, 1_000).map((n) => `a[e${n}]; extra == 'e${n + 1}'`);
	expect(unmet({ "a==1": [...extras, "a[e1000]"] })).toMatchObject(tooMany);
	expect(unmet({ "a==1": [`b${" ".repeat(400_000)}c`] })).toMatchObject({ code: "WHEEL_UNUSABLE" });
	expect(performance.now() - started).toBeLessThan(10_000);
});
