import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "./json.ts";
import { findSchemaIssues, SCHEMA_LIMITS } from "./schema-issues.ts";
import { validate } from "./validate.ts";

const paths = (schema: JsonObject) => findSchemaIssues(schema).map((issue) => issue.path.join("."));

const nested = (depth: number): JsonObject =>
	depth === 1 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };

const wide = (count: number) => ({
	type: "object",
	properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, {}])),
});

const chain = (length: number, last: JsonObject) => ({
	$ref: "#/$defs/0",
	$defs: Object.fromEntries(
		Array.from({ length }, (_, n) => [n, n + 1 < length ? { $ref: `#/$defs/${n + 1}` } : last]),
	),
});

describe("a schema", () => {
	test("with every kind of keyword, local references and annotations is accepted", () => {
		const schema = {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "object",
			properties: { tree: { $ref: "#/$defs/node" }, "a/b": { type: ["string", "null"], pattern: "^x+$" } },
			patternProperties: { "^x-": true },
			required: ["tree"],
			additionalProperties: false,
			$defs: { node: { type: "object", properties: { children: { items: { $ref: "#/$defs/node" } } } } },
			"x-note": { anything: true },
		};
		expect(findSchemaIssues(schema)).toEqual([]);
	});

	test.each<[string, JsonObject, string]>([
		["an unknown type", { type: "strnig" }, "type"],
		["a type in a nested property", { properties: { a: { items: { type: 1 } } } }, "properties.a.items.type"],
		["required that is no list", { required: "a" }, "required"],
		["names twice in required", { required: ["a", "a"] }, "required"],
		["properties that are no map", { properties: [] }, "properties"],
		["a property that is no schema", { properties: { a: "string" } }, "properties.a"],
		["anyOf that is no list", { anyOf: {} }, "anyOf"],
		["an empty oneOf", { oneOf: [] }, "oneOf"],
		["a broken pattern", { pattern: "(" }, "pattern"],
		["a pattern that looks ahead", { pattern: "^(?=.*a)" }, "pattern"],
		["a broken property pattern", { patternProperties: { "(": {} } }, "patternProperties.("],
		["a negative length", { minLength: -1 }, "minLength"],
		["a divisor of 0", { multipleOf: 0 }, "multipleOf"],
		["a reference to another document", { $ref: "https://example.com/s" }, "$ref"],
		["a reference that leads nowhere", { items: { $ref: "#/$defs/none" } }, "items.$ref"],
		[
			"a reference to a value",
			{ items: { $ref: "#/$defs/a/type" }, $defs: { a: { type: "null" } } },
			"items.$ref",
		],
		["a wrong schema that only a reference leads to", { $ref: "#/x/y", x: { y: { type: 1 } } }, "x.y.type"],
		["an own base address", { $id: "https://example.com/s" }, "$id"],
		["a dynamic reference", { items: { $dynamicRef: "#a" } }, "items.$dynamicRef"],
		["another dialect", { $schema: "http://json-schema.org/draft-07/schema#" }, "$schema"],
	])("with %s is rejected there", (_, schema, path) => {
		expect(paths(schema)).toEqual([path]);
	});

	test.each<[string, JsonObject]>([
		["itself", { $ref: "#" }],
		["itself through a combination", { anyOf: [{ type: "string" }, { $ref: "#" }] }],
		[
			"a pair",
			{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
		],
		[
			"itself in a place that only a reference leads to",
			{ $ref: "#/x", x: { items: { $ref: "#/x/items" } } },
		],
		["the start of a chain of 2,000", chain(2_000, { not: { $ref: "#/$defs/0" } })],
	])("whose reference leads back to %s is rejected", (_, schema) => {
		expect(findSchemaIssues(schema)).toEqual([
			{ path: [], message: "Must not have a $ref that leads back to itself for the same value" },
		]);
	});

	test("may refer to itself for another value", () => {
		expect(paths({ properties: { next: { $ref: "#" } } })).toEqual([]);
	});

	test.each([
		["depth", nested(SCHEMA_LIMITS.depth), nested(SCHEMA_LIMITS.depth + 1)],
		["properties", wide(SCHEMA_LIMITS.properties), wide(SCHEMA_LIMITS.properties + 1)],
		["bytes", { title: "é".repeat(32 * 1024 - 10) }, { title: "é".repeat(32 * 1024) }],
		["unicodeProperties", { pattern: "\\p{L}".repeat(100) }, { pattern: "\\p{L}".repeat(101) }],
		[
			"patternStates",
			{ pattern: "a{9000}" },
			{ allOf: ["a", "b", "c"].map((char) => ({ pattern: `${char}{9000}` })) },
		],
	] as const)("is accepted up to its limit of %s, and no further", (limit, accepted, rejected) => {
		expect(findSchemaIssues(accepted)).toEqual([]);
		expect(findSchemaIssues(rejected)).toMatchObject([{ limit }]);
	});

	test("that is nested without end is rejected as too large", () => {
		let schema: JsonObject = {};
		for (let depth = 0; depth < 50_000; depth++) schema = { not: schema };
		expect(findSchemaIssues(schema)).toMatchObject([{ limit: "bytes" }]);
	});

	test("with very many faults has a hundred of them named", () => {
		expect(findSchemaIssues({ allOf: Array(10_000).fill(1) })).toHaveLength(100);
	});
});

test.each<[string, JsonObject]>([
	["small schemas", { allOf: Array(20_000).fill({}) }],
	["references", chain(2_000, {})],
	["patterns", { allOf: Array.from({ length: 2_000 }, (_, n) => ({ pattern: `a{${n}}b{9000}` })) }],
	[
		"classes of characters",
		{ allOf: Array.from({ length: 60 }, (_, n) => ({ pattern: `[\\p{L}${n}]`.repeat(90) })) },
	],
])("64 KiB of %s are checked in a moment", (_, schema) => {
	const startedAt = performance.now();
	findSchemaIssues(schema);
	expect(performance.now() - startedAt).toBeLessThan(3_000);
});

test("any JSON object is judged, and an accepted one can be used", () => {
	const keyword = fc.constantFrom(
		...["type", "properties", "items", "$ref", "allOf", "enum", "x", "not", "pattern", "required", "if"],
	);
	fc.assert(
		fc.property(
			fc.dictionary(keyword, fc.jsonValue(), { noNullPrototype: true }),
			fc.jsonValue(),
			(schema, value) => {
				if (findSchemaIssues(schema).length === 0) validate(schema, value);
			},
		),
		{ numRuns: 1_000 },
	);
});
