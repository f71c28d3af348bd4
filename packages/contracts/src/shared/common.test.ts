import { expect, test } from "vitest";
import { z } from "zod";
import { arrayQuery, nameFilter, pageMeta, Uuid, versionNumber } from "./common.ts";

const Query = z.strictObject({ ...arrayQuery, ...nameFilter(3) });

test("a number in a query is digits alone, within its bounds", () => {
	expect(Query.parse({})).toEqual({ limit: 100, offset: 0 });
	expect(Query.parse({ limit: "200", offset: "0" })).toEqual({ limit: 200, offset: 0 });
	for (const offset of ["", " ", "-1", "+1", "1.5", "1e2", "0x10", "10001", "٣"])
		expect(Query.safeParse({ offset }).success, offset).toBe(false);
});

test("a name filter takes 1 to 200 names of a name's own length", () => {
	const accepts = (...name: string[]) => Query.safeParse({ name }).success;
	expect(accepts("a", "abc")).toBe(true);
	expect([accepts(""), accepts("abcd")]).toEqual([false, false]);
	expect(accepts(...Array<string>(200).fill("a"))).toBe(true);
	expect(accepts(...Array<string>(201).fill("a"))).toBe(false);
});

test("the number of a version is digits alone, from 1 on", () => {
	expect(versionNumber.parse("12")).toBe(12);
	for (const text of ["0", "", " 1", "0x1", "1e0", "1.0", "9007199254740993"])
		expect(versionNumber.safeParse(text).success, text).toBe(false);
});

test("an id is the same in any case", () => {
	expect(Uuid.parse("019A9E30-0000-7000-8000-00000000000A")).toBe("019a9e30-0000-7000-8000-00000000000a");
});

test("a list of no items has no pages, and a part of a page is one", () => {
	expect(pageMeta(1, 20, 0).pages).toBe(0);
	expect(pageMeta(1, 20, 21).pages).toBe(2);
});
