import fc from "fast-check";
import { expect, test } from "vitest";
import { findAnyDraftIssue } from "./any-draft.ts";

const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });

test.for<[string, object]>([
	["nothing but a type", { type: "object" }],
	[
		"draft 7 as generators write it",
		object(
			{ a: { type: "string" } },
			{ $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: false },
		),
	],
	["tuples of draft 7", object({ a: { type: "array", items: [{ type: "string" }, {}] } })],
	["exclusive bounds of draft 4", object({ a: { minimum: 1, exclusiveMinimum: true } })],
	[
		"references within the schema",
		object({ a: { $ref: "#/definitions/A" } }, { definitions: { A: { type: "string" } } }),
	],
	["a schema that refers to itself", object({ a: { $ref: "#" } })],
	["a reference to another document", object({ a: { $ref: "https://schemas.example/a.json" } })],
	["an anchor", object({ a: { $ref: "#address" } }, { $defs: { A: { $anchor: "address" } } })],
	[
		"a property named like a keyword",
		object({ $ref: { type: "string" }, type: { type: "string" }, required: {} }),
	],
	[
		"data that looks like a reference",
		object({ a: { default: { $ref: "#/nowhere" }, enum: [{ $ref: "#/nowhere" }] } }),
	],
	["boolean schemas", object({ a: true, b: false })],
	["keywords of nobody", object({ a: { "x-order": 1, widget: "slider" } })],
	["a pattern of another dialect", object({ a: { pattern: "(?i)^a" } })],
])("%s can be used", ([, schema]) => {
	expect(findAnyDraftIssue(schema)).toBeUndefined();
});

test.for<[string, object, RegExp]>([
	["a type that is none", object({ a: { type: "text" } }), /^#\/properties\/a/],
	["a property that is no schema", object({ a: "string" }), /^#\/properties/],
	["required that is no list", object({}, { required: true }), /^#\/required/],
	["an empty choice", object({ a: { anyOf: [] } }), /anyOf/],
	["a negative length", object({ a: { minLength: -1 } }), /minLength/],
	[
		"a reference that leads nowhere",
		object({ a: { $ref: "#/$defs/gone" } }),
		/^#\/\$defs\/gone leads nowhere$/,
	],
])("%s is named", ([, schema, place]) => {
	expect(findAnyDraftIssue(schema)).toMatch(place);
});

test("a schema nested without end is refused, not run through", () => {
	let schema: object = {};
	for (let depth = 0; depth < 50_000; depth++) schema = { properties: { a: schema } };
	expect(findAnyDraftIssue(schema)).toBe("nested deeper than 128 levels");
});

test("whatever a server sends for a schema is judged", () => {
	fc.assert(
		fc.property(
			fc.dictionary(
				fc.constantFrom("type", "properties", "items", "$ref", "allOf", "enum", "x"),
				fc.jsonValue(),
			),
			(schema) => {
				expect([undefined, expect.any(String)]).toContainEqual(findAnyDraftIssue(schema));
			},
		),
	);
});
