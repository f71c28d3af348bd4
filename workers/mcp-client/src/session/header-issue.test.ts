import { expect, test } from "vitest";
import { findHeaderIssue } from "./header-issue.ts";

const marked = (header: unknown, type = "string") => ({ type, "x-mcp-header": header });
const object = (properties: object) => ({ type: "object", properties });

test.for<[string, object]>([
	["no mark at all", object({ a: { type: "object" } })],
	[
		"marks on strings, integers and booleans",
		object({ a: marked("A"), b: marked("B", "integer"), c: marked("C", "boolean") }),
	],
	["a mark within an object", object({ a: object({ b: marked("Region") }) })],
	["a property of the mark's name", object({ "x-mcp-header": { type: "string" } })],
	["a value that looks like a mark", object({ a: { type: "object", default: { "x-mcp-header": 1 } } })],
])("%s is accepted", ([, schema]) => {
	expect(findHeaderIssue(schema)).toBeUndefined();
});

test.for<[string, object, RegExp]>([
	["an empty name", object({ a: marked("") }), /^a: .*is not a valid header name/],
	["a name with a space", object({ a: marked("My Region") }), /is not a valid header name/],
	["a name that is not a string", object({ a: marked(7) }), /is not a valid header name/],
	[
		"a number that may have a fraction",
		object({ a: marked("A", "number") }),
		/must be on a string, integer or boolean argument/,
	],
	["an object", object({ a: marked("A", "object") }), /must be on a string, integer or boolean argument/],
	["a name used twice, in any case", object({ a: marked("A"), b: marked("a") }), /^b: .*twice/],
	["a mark on the whole schema", { ...object({}), "x-mcp-header": "A" }, /^the schema: /],
	["a mark within a list", object({ a: { type: "array", items: marked("A") } }), /^a\.items: .*single value/],
	["a mark within a choice", object({ a: { anyOf: [marked("A")] } }), /single value/],
	["a mark behind a reference", { ...object({}), $defs: { a: marked("A") } }, /single value/],
])("%s is reported as an issue", ([, schema, reason]) => {
	expect(findHeaderIssue(schema)).toMatch(reason);
});
