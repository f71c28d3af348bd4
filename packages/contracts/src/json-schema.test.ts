import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArgumentSchema, JsonSchema, MAX_SCHEMA_DEPTH, MAX_SCHEMA_PROPERTIES } from "./json-schema.ts";

const faults = (schema: unknown) =>
	(JsonSchema.safeParse(schema).error?.issues ?? []).map((issue) => issue.path.join("."));

const nested = (depth: number): object =>
	depth === 1 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };

const wide = (count: number) => ({
	type: "object",
	properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, {}])),
});

describe("a schema", () => {
	test("with every kind of keyword, local references and annotations is taken as it is", () => {
		const schema = {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "object",
			properties: { tree: { $ref: "#/$defs/node" }, "a/b": { type: ["string", "null"], pattern: "^x+$" } },
			required: ["tree"],
			additionalProperties: false,
			$defs: { node: { type: "object", properties: { children: { items: { $ref: "#/$defs/node" } } } } },
			"x-note": { anything: true },
		};
		expect(JsonSchema.parse(schema)).toEqual(schema);
	});

	test.each([
		["an unknown type", { type: "strnig" }, "type"],
		["a type in a nested property", { properties: { a: { items: { type: 1 } } } }, "properties.a.items.type"],
		["required that is no list", { required: "a" }, "required"],
		["names twice in required", { required: ["a", "a"] }, "required"],
		["properties that are no map", { properties: [] }, "properties"],
		["a property that is no schema", { properties: { a: "string" } }, "properties.a"],
		["anyOf that is no list", { anyOf: {} }, "anyOf"],
		["a broken pattern", { pattern: "(" }, "pattern"],
		["a pattern that looks ahead", { pattern: "^(?=.*a)" }, "pattern"],
		["a broken property pattern", { patternProperties: { "(": {} } }, "patternProperties.("],
		["a negative length", { minLength: -1 }, "minLength"],
		["a reference to another document", { $ref: "https://example.com/s" }, "$ref"],
		["a reference that leads nowhere", { items: { $ref: "#/$defs/none" } }, "items.$ref"],
		["an own base address", { $id: "https://example.com/s" }, "$id"],
		["another dialect", { $schema: "http://json-schema.org/draft-07/schema#" }, "$schema"],
	])("with %s is refused there", (_, schema, path) => {
		expect(faults(schema)).toEqual([path]);
	});

	test.each([
		["itself", { $ref: "#" }],
		["itself through a combination", { anyOf: [{ type: "string" }, { $ref: "#" }] }],
		[
			"a pair",
			{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
		],
	])("whose reference leads back to %s is refused", (_, schema) => {
		expect(JsonSchema.safeParse(schema).error?.issues[0]?.message).toBe("A $ref leads back to itself");
	});

	test("may be 32 schemas deep and no deeper", () => {
		expect(faults(nested(MAX_SCHEMA_DEPTH))).toEqual([]);
		expect(JsonSchema.safeParse(nested(MAX_SCHEMA_DEPTH + 1)).success).toBe(false);
	});

	test("may have 256 properties and no more", () => {
		expect(faults(wide(MAX_SCHEMA_PROPERTIES))).toEqual([]);
		expect(faults(wide(MAX_SCHEMA_PROPERTIES + 1))).toEqual([""]);
	});

	test("may be 64 KiB of UTF-8 and no larger", () => {
		expect(faults({ title: "é".repeat(32 * 1024) })).toEqual([""]);
		expect(faults({ title: "e".repeat(32 * 1024) })).toEqual([]);
	});
});

test("arguments are an object", () => {
	expect(ArgumentSchema.safeParse({ type: "object" }).success).toBe(true);
	for (const schema of [{}, { type: "string" }, { type: ["object"] }, true])
		expect(ArgumentSchema.safeParse(schema).success).toBe(false);
});

test("any JSON object is judged without throwing, and what is taken is unchanged", () => {
	// The body's reader has refused `__proto__` before.
	const key = fc.string().filter((name) => name !== "__proto__");
	fc.assert(
		fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
			const result = JsonSchema.safeParse(value);
			if (result.success) expect(result.data).toEqual(value);
		}),
	);
});
