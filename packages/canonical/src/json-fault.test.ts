import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault, MAX_JSON_DEPTH } from "./json-fault.ts";

const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test("any JSON value of well-formed text has no fault", () => {
	const json = fc
		.jsonValue({ stringUnit: "grapheme", maxDepth: 8 })
		.filter((value) => !JSON.stringify(value).includes('"__proto__":'));
	fc.assert(fc.property(json, (value) => jsonFault(JSON.parse(JSON.stringify(value))) === undefined));
});

test("a number beyond a double is named", () => {
	expect(jsonFault(JSON.parse('{"a":[1,1e400]}'))).toEqual({
		path: ["a", 1],
		message: "The number is too large",
	});
	expect(jsonFault(JSON.parse("1e308"))).toBeUndefined();
});

test("half of a surrogate pair is named, in a value and in a name", () => {
	expect(jsonFault(JSON.parse('{"a":"\\ud800"}'))?.path).toEqual(["a"]);
	expect(jsonFault(JSON.parse('{"\\udfff":1}'))?.message).toBe("Not valid Unicode text");
	expect(jsonFault(JSON.parse('"\\ud83d\\ude00"'))).toBeUndefined();
});

test("a __proto__ member is an unknown property wherever it stands, however it is written", () => {
	for (const text of ['{"__proto__":{"x":1}}', '{"\\u005f_proto__":1}', '[{"a":{"__proto__":null}}]'])
		expect(jsonFault(JSON.parse(text))).toMatchObject({ message: "Unknown property" });
});

test("nesting is measured, not followed", () => {
	expect(jsonFault(nested(MAX_JSON_DEPTH))).toBeUndefined();
	expect(jsonFault(nested(MAX_JSON_DEPTH + 1))?.message).toContain("Nested deeper");
	expect(jsonFault(nested(200_000))?.message).toContain("Nested deeper");
});
