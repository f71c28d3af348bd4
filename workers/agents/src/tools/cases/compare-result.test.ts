import type { CaseExpectation } from "@parley/contracts/agents/tool-cases";
import { expect, test } from "vitest";
import { compareResult } from "./compare-result.ts";

const compared = (rules: Partial<CaseExpectation>, output: unknown) =>
	compareResult({ status: "succeeded", ...rules }, { status: "succeeded", output }).map(
		({ path, message, expected, actual }) => [path, message, expected, actual],
	);

test("another status is the only difference shown", () => {
	const expectation: CaseExpectation = { status: "failed" };
	expect(compareResult(expectation, { status: "succeeded", output: { a: 1 } })).toEqual([
		{ path: "status", message: "Differs", expected: '"failed"', actual: '"succeeded"' },
	]);
	expect(compareResult(expectation, { status: "failed", output: null })).toEqual([]);
});

test("an equal output has the same members, whatever their order", () => {
	const output_equals = { a: [1, { b: null }], c: "x" };
	expect(compared({ output_equals }, { c: "x", a: [1, { b: null }] })).toEqual([]);
	expect(compared({ output_equals }, { a: [1, { b: 0, d: 1 }] })).toEqual([
		["output.a.1.b", "Differs", "null", "0"],
		["output.a.1.d", "Not expected", null, "1"],
		["output.c", "Missing", '"x"', null],
	]);
	expect(compared({ output_equals }, { a: [1], c: "x" })).toEqual([
		["output.a", "Has 1 items instead of 2", '[1,{"b":null}]', "[1]"],
	]);
	expect(compared({ output_equals: null }, null)).toEqual([]);
	expect(compared({ output_equals: {} }, [])).toEqual([["output", "Differs", "{}", "[]"]]);
	expect(compared({ output_equals: { a: 1 } }, JSON.parse('{"__proto__":{"a":1}}'))).toHaveLength(2);
});

test("an output that contains an object may have more members", () => {
	const output_contains = { a: { b: 1 } };
	expect(compared({ output_contains }, { a: { b: 1, c: 2 }, d: 3 })).toEqual([]);
	expect(compared({ output_contains }, { a: {} })).toEqual([["output.a.b", "Missing", "1", null]]);
});

test("a text is looked for in an output of text and in the JSON of any other", () => {
	expect(compared({ output_contains: "clear" }, { text: "a clear sky" })).toEqual([]);
	expect(compared({ output_contains: '"sky":"clear"' }, { sky: "clear" })).toEqual([]);
	expect(compared({ output_contains: "rain" }, { text: "sun" })).toEqual([
		["output", "Does not contain the text", '"rain"', '{"text":"sun"}'],
	]);
});

test("an output that leaves its schema differs where it does", () => {
	const output_schema = { type: "object", properties: { a: { type: "integer" } }, required: ["b"] };
	expect(compared({ output_schema }, { a: 1, b: 2 })).toEqual([]);
	const differences = compared({ output_schema }, { a: "x" });
	expect(differences.map(([path, , , actual]) => [path, actual]).toSorted()).toEqual([
		["output.a", '"x"'],
		["output.b", null],
	]);
});

test("a comparison shows 50 differences of 500 characters at most", () => {
	const members = (value: string) =>
		Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, value]));
	const differences = compared({ output_equals: members("x".repeat(600)) }, members("y".repeat(600)));
	expect(differences).toHaveLength(50);
	expect(differences[0]?.[2]).toHaveLength(500);
	expect(compared({ output_equals: {} }, members("y"))).toHaveLength(50);
});
