import { describe, expect, test } from "vitest";
import { schemaFaults } from "./json-validation.ts";

const UNCHECKED = [{ path: [], message: "Cannot be checked against the schema" }];
const objectOf = (a: unknown, rest: object = {}) => ({ type: "object", properties: { a }, ...rest });

/** Each reference is followed twice, so that the last one is reached 2^levels times. */
function doubling(levels: number, a: (ref: object) => object): object {
	const ref = (level: number) => ({ $ref: `#/$defs/d${level}` });
	const $defs = Object.fromEntries(
		Array.from({ length: levels }, (_, i) => [`d${i}`, { allOf: [ref(i + 1), ref(i + 1)] }]),
	);
	return objectOf(a(ref(0)), { $defs: { ...$defs, [`d${levels}`]: {} } });
}

test("each fault is named with its place", () => {
	const schema = objectOf({ type: "string" }, { required: ["b"], additionalProperties: false });
	expect(schemaFaults(schema, { a: 1, "c/d%": 2 })).toEqual([
		{ path: ["b"], message: "Required" },
		{ path: ["a"], message: 'Instance type "number" is invalid. Expected "string".' },
		{ path: ["c/d%"], message: "Not allowed by the schema" },
	]);
});

test("of many faults a hundred are named", () => {
	const schema = objectOf({ items: { type: "string" } });
	expect(schemaFaults(schema, { a: Array(1000).fill(1) })).toHaveLength(100);
});

test("a long value that matches is checked to its end", () => {
	const schema = objectOf({ items: { type: "integer" } });
	const items = Array.from({ length: 200_000 }, (_, i) => i);
	expect(schemaFaults(schema, { a: items })).toEqual([]);
	expect(schemaFaults(schema, { a: [...items.slice(0, -1), "x"] })).toMatchObject([
		{ path: ["a", "199999"] },
	]);
});

test("patterns of values and of names are matched as anywhere else", () => {
	const schema = objectOf(
		{ type: "string", pattern: "^\\d+$", format: "date" },
		{
			patternProperties: { "^x-": { type: "string", pattern: "[b-d]" }, "-n$": { minLength: 2 } },
			additionalProperties: false,
			properties: { a: { type: "string", pattern: "^\\d+$" }, "x-k": { enum: ["c", "cc"] } },
		},
	);
	expect(schemaFaults(schema, { a: "12", "x-k": "c", "x-n": "cc" })).toEqual([]);
	expect(schemaFaults(schema, { a: "x", "x-k": "cd", "x-n": "c", y: 1 })).toEqual([
		{ path: ["a"], message: "String does not match pattern." },
		{ path: ["x-k"], message: expect.stringContaining("does not match any of") },
		{ path: ["x-n"], message: "String is too short (1 < 2)." },
		{ path: ["y"], message: "Not allowed by the schema" },
	]);
});

test("a pattern beside a format, in a choice, in a definition and behind a property called pattern counts", () => {
	const date = { type: "string", format: "date", pattern: "^2026" };
	const schema = objectOf(
		{ anyOf: [{ $ref: "#/$defs/year" }, { const: { pattern: "(" } }] },
		{
			$defs: { year: date },
			properties: { a: { $ref: "#/$defs/year" }, pattern: date, patternProperties: date },
		},
	);
	expect(
		schemaFaults(schema, { a: "2026-11-21", pattern: "2026-11-21", patternProperties: "2026-11-21" }),
	).toEqual([]);
	const faults = schemaFaults(schema, { a: "2025-11-21", pattern: "2026-13-21", patternProperties: "x" });
	expect(faults.map(({ path }) => path)).toEqual([
		["a"],
		["pattern"],
		["patternProperties"],
		["patternProperties"],
	]);
});

test("data that looks like a schema stays as it is", () => {
	const data = { pattern: "a", patternProperties: { "(": 1 }, format: "odd" };
	expect(schemaFaults(objectOf({ const: data }), { a: data })).toEqual([]);
	expect(schemaFaults(objectOf({ enum: [data] }), { a: { ...data, pattern: "b" } })).not.toEqual([]);
});

test.each([
	["a pattern", objectOf({ pattern: "^(a+)+$" })],
	["a pattern under no keyword", objectOf({ $ref: "#/x/y" }, { x: { y: { pattern: "^(a|a)*$" } } })],
	["a pattern of a dependency", { dependencies: { a: { properties: { a: { pattern: "^(a+)+$" } } } } }],
	["a pattern of names", { additionalProperties: false, patternProperties: { "^(a+)+$": {} } }],
	["a format of the validator's own", objectOf({ format: "url" })],
])("%s that takes a regular expression without end takes a moment", (_, schema) => {
	const text = "a".repeat(10_000);
	const value = { a: `http://${text}!`, [`${text}!`]: 1 };
	const startedAt = performance.now();
	schemaFaults(schema, value);
	schemaFaults(schema, { a: `${text}!` });
	expect(performance.now() - startedAt).toBeLessThan(5_000);
});

describe("a value does not match when the check", () => {
	test("would follow the ways of a pattern for too long", () => {
		const schema = objectOf({ pattern: "(?:(?:a?){100}){20}b" });
		expect(schemaFaults(schema, { a: "a".repeat(100_000) })).toEqual(UNCHECKED);
	});

	test("meets a pattern that no time is enough for", () => {
		expect(schemaFaults(objectOf({ pattern: "^(?=a)" }), { a: "a" })).toEqual(UNCHECKED);
	});

	test("would follow references without end", () => {
		expect(
			schemaFaults(
				doubling(10, (ref) => ref),
				{ a: 1 },
			),
		).toEqual([]);
		expect(
			schemaFaults(
				doubling(60, (ref) => ref),
				{ a: 1 },
			),
		).toEqual(UNCHECKED);
	});

	test("would follow them where no schema is declared", () => {
		const annotated = JSON.parse(JSON.stringify(doubling(60, (ref) => ref)).replaceAll("$defs", "x"));
		expect(schemaFaults(annotated, { a: 1 })).toEqual(UNCHECKED);
	});

	test("finds more faults than there is room for", () => {
		const schema = objectOf({ items: { enum: Array.from({ length: 5000 }, (_, i) => `v${i}`) } });
		expect(schemaFaults(schema, { a: Array(200_000).fill(1) })).toEqual(UNCHECKED);
	});

	test("would compare each item of a long array with each other", () => {
		const schema = objectOf({ uniqueItems: true });
		expect(schemaFaults(schema, { a: Array.from({ length: 1000 }, (_, i) => i) })).toEqual([]);
		expect(schemaFaults(schema, { a: Array.from({ length: 300_000 }, (_, i) => i) })).toEqual(UNCHECKED);
	});

	test.each([
		["a keyword of another dialect", objectOf({ dependencies: { x: null } })],
		["a value in an enum", objectOf({ $ref: "#/$defs/e/enum/0" }, { $defs: { e: { enum: [{}] } } })],
		["a map of schemas", objectOf({ $ref: "#/properties" })],
	])("is led to %s", (_, schema) => {
		expect(schemaFaults(schema, { a: { x: 1 } })).toEqual(UNCHECKED);
	});
});
