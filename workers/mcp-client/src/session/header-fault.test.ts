import { expect, test } from "vitest";
import { headerFault } from "./header-fault.ts";

const marked = (header: unknown, type = "string") => ({ type, "x-mcp-header": header });
const object = (properties: object) => ({ type: "object", properties });

test.for<[string, object]>([
	["no mark at all", object({ a: { type: "object" } })],
	[
		"marks of text, whole numbers and truth values",
		object({ a: marked("A"), b: marked("B", "integer"), c: marked("C", "boolean") }),
	],
	["a mark within an object", object({ a: object({ b: marked("Region") }) })],
	["a property of the mark's name", object({ "x-mcp-header": { type: "string" } })],
	["a value that looks like a mark", object({ a: { type: "object", default: { "x-mcp-header": 1 } } })],
])("%s: the tool stays", ([, schema]) => {
	expect(headerFault(schema)).toBeUndefined();
});

test.for<[string, object, RegExp]>([
	["an empty name", object({ a: marked("") }), /^a: .*names no header/],
	["a name with a space", object({ a: marked("My Region") }), /names no header/],
	["a name that is no text", object({ a: marked(7) }), /names no header/],
	["a number that may have a fraction", object({ a: marked("A", "number") }), /no text, integer or boolean/],
	["an object", object({ a: marked("A", "object") }), /no text, integer or boolean/],
	["one name twice, whatever its case", object({ a: marked("A"), b: marked("a") }), /^b: .*twice/],
	["a mark on the whole schema", { ...object({}), "x-mcp-header": "A" }, /^the schema: /],
	["a mark within a list", object({ a: { type: "array", items: marked("A") } }), /^a\.items: .*one value/],
	["a mark within a choice", object({ a: { anyOf: [marked("A")] } }), /one value/],
	["a mark behind a reference", { ...object({}), $defs: { a: marked("A") } }, /one value/],
])("%s: the tool goes", ([, schema, reason]) => {
	expect(headerFault(schema)).toMatch(reason);
});
